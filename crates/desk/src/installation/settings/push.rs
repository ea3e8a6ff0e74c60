//! How push services are sent to.

use ::push::{Subject, TestService};
use foundation::{PushSettings, Realm};

use super::{InvalidSetting, REALM, Values, realm};

const SUBJECT: &str = "PLACARD_PUSH_SUBJECT";
const TEST_SERVICE: &str = "PLACARD_PUSH_TEST_SERVICE";

/// `None` if nobody is offered notices on a device on which the app is not open.
pub(super) fn settings(values: &Values) -> Result<Option<PushSettings>, InvalidSetting> {
    let test_service = test_service(values)?;
    let Some(text) = values.get(SUBJECT) else {
        return match test_service {
            None => Ok(None),
            Some(_) => Err(InvalidSetting::new(TEST_SERVICE, format!("{SUBJECT} is missing"))),
        };
    };
    let subject = Subject::parse(text).map_err(|_| {
        let problem = "is neither an e-mail address, such as mailto:ops@example.com, nor one that begins with https://";
        InvalidSetting::new(SUBJECT, format!("{text} {problem}"))
    })?;
    Ok(Some(PushSettings { subject, test_service }))
}

fn test_service(values: &Values) -> Result<Option<TestService>, InvalidSetting> {
    let Some(text) = values.get(TEST_SERVICE) else { return Ok(None) };
    if realm(values.or("PLACARD_REALM", REALM))? == Realm::Live {
        return Err(InvalidSetting::new(TEST_SERVICE, "not in a live installation"));
    }
    TestService::parse(text).map(Some).ok_or_else(|| {
        InvalidSetting::new(TEST_SERVICE, format!("{text} is no origin on this machine, such as http://127.0.0.1:8090"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Option<PushSettings>, InvalidSetting> {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        settings(&Values::from_pairs(pairs)?)
    }

    #[test]
    fn nothing_is_offered_without_a_subject() {
        assert!(read(&[]).expect("defaults").is_none());
        let settings = read(&[(SUBJECT, "mailto:ops@example.com")]).expect("right").expect("offered");
        assert_eq!((settings.subject.as_str(), settings.test_service), ("mailto:ops@example.com", None));
    }

    #[test]
    fn a_service_for_tests_is_on_this_machine_and_never_where_money_is_real() {
        let (subject, here) = ((SUBJECT, "mailto:ops@example.com"), (TEST_SERVICE, "http://127.0.0.1:8090"));
        assert!(read(&[subject, here]).expect("right").is_some_and(|settings| settings.test_service.is_some()));
        for wrong in [
            &[here] as &[_],
            &[subject, here, ("PLACARD_REALM", "live")],
            &[subject, (TEST_SERVICE, "http://10.0.0.1:8090")],
            &[subject, (TEST_SERVICE, "http://push.example.com")],
        ] {
            assert_eq!(read(wrong).expect_err("wrong").variable, TEST_SERVICE, "{wrong:?}");
        }
        assert_eq!(read(&[(SUBJECT, "ops")]).expect_err("wrong").variable, SUBJECT);
    }
}
