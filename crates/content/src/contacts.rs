//! The contacts of customer service, as configured for this installation.

use base::coded;
use serde::{Deserialize, Serialize};

/// The kind of contact that opens inside the app.
const IN_APP: i64 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Contact {
    pub id: String,
    /// 1 opens inside the app, anything else in a new tab.
    #[serde(rename = "type")]
    pub kind: i64,
    pub url: String,
    pub label: String,
}

/// The contacts in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contacts {
    pub customer_service_url: Vec<Contact>,
    pub recharge_customer_service_url: Vec<Contact>,
    /// Shown first to VIPs.
    pub priority_customer_service_url: Vec<Contact>,
}

coded!(
    /// The lists of contacts.
    List {
        /// Shown first to VIPs.
        Priority = 1 "priority",
        CustomerService = 2 "customer_service",
        Recharge = 3 "recharge",
    }
);

/// A contact and its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedContact {
    /// `priority`, `customer_service` or `recharge`.
    pub list: &'static str,
    /// `content` if staff maintain it, otherwise `PLACARD_CONTACTS`.
    pub from: &'static str,
    #[serde(flatten)]
    pub contact: Contact,
}

impl Contacts {
    /// The first contact whose address no client should open, if any.
    pub fn first_unsafe(&self) -> Option<&Contact> {
        self.all().find(|contact| !contact.is_safe())
    }

    /// The origins that the app may show in a frame.
    pub fn frame_origins(&self) -> Vec<String> {
        let mut origins: Vec<String> =
            self.all().filter_map(|contact| frame_origin(contact.kind, &contact.url)).collect();
        origins.sort();
        origins.dedup();
        origins
    }

    /// Customer service as a user sees it.
    pub fn customer_service(&self, is_vip: bool) -> Vec<Contact> {
        let priority: &[Contact] = if is_vip { &self.priority_customer_service_url } else { &[] };
        priority.iter().chain(&self.customer_service_url).cloned().collect()
    }

    /// All of them, in display order.
    pub fn listed(&self, from: &'static str) -> Vec<ListedContact> {
        let lists = [
            (List::Priority, &self.priority_customer_service_url),
            (List::CustomerService, &self.customer_service_url),
            (List::Recharge, &self.recharge_customer_service_url),
        ];
        let listed = |(list, contacts): (List, &Vec<Contact>)| {
            contacts.clone().into_iter().map(move |contact| ListedContact { list: list.name(), from, contact })
        };
        lists.into_iter().flat_map(listed).collect()
    }

    pub fn list_mut(&mut self, list: List) -> &mut Vec<Contact> {
        match list {
            List::Priority => &mut self.priority_customer_service_url,
            List::CustomerService => &mut self.customer_service_url,
            List::Recharge => &mut self.recharge_customer_service_url,
        }
    }

    fn all(&self) -> impl Iterator<Item = &Contact> {
        let lists =
            [&self.customer_service_url, &self.recharge_customer_service_url, &self.priority_customer_service_url];
        lists.into_iter().flatten()
    }
}

impl Contact {
    fn is_safe(&self) -> bool {
        is_safe(self.kind, &self.url)
    }
}

/// Whether a client may open the address of a contact of this type.
pub fn is_safe(kind: i64, url: &str) -> bool {
    let outside_app = ["mailto:", "tel:"].iter().any(|scheme| url.starts_with(scheme));
    https_origin(url).is_some() || (kind != IN_APP && outside_app)
}

/// The origin that the app shows in a frame for a contact of this type, if it does.
pub fn frame_origin(kind: i64, url: &str) -> Option<String> {
    https_origin(url).filter(|_| kind == IN_APP)
}

/// `https://host[:port]` of an address without user information.
fn https_origin(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
    (!host.is_empty() && host.chars().all(plain)).then(|| format!("https://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contacts(kind: i64, url: &str) -> Contacts {
        let contact = Contact { id: "1".into(), kind, url: url.into(), label: "Anna".into() };
        Contacts { customer_service_url: vec![contact], ..Contacts::default() }
    }

    #[test]
    fn https_always_and_mail_or_telephone_outside_the_app() {
        for (kind, url) in
            [(1, "https://chat.example.com/a?b"), (2, "https://x.example"), (2, "mailto:a@b.c"), (3, "tel:+491234")]
        {
            assert_eq!(contacts(kind, url).first_unsafe(), None, "{url}");
        }
        for (kind, url) in [
            (1, "mailto:a@b.c"),
            (2, "http://x.example"),
            (2, "javascript:alert(1)"),
            (1, "https://a@b.example"),
            (1, "https://"),
            (1, "https://a b"),
        ] {
            assert!(contacts(kind, url).first_unsafe().is_some(), "{url}");
        }
    }

    #[test]
    fn a_vip_sees_priority_contacts_first_and_nobody_else_does() {
        let contact = |id: &str| Contact { id: id.into(), kind: 2, url: "tel:+491".into(), label: id.into() };
        let contacts = Contacts {
            customer_service_url: vec![contact("all")],
            recharge_customer_service_url: vec![contact("recharge")],
            priority_customer_service_url: vec![contact("vip")],
        };
        let ids = |vip| contacts.customer_service(vip).into_iter().map(|c| c.id).collect::<Vec<_>>();
        assert_eq!((ids(true), ids(false)), (vec!["vip".to_owned(), "all".to_owned()], vec!["all".to_owned()]));
        let listed: Vec<&str> = contacts.listed("content").iter().map(|entry| entry.list).collect();
        assert_eq!(listed, ["priority", "customer_service", "recharge"]);
        let odd = Contact { url: "http://x.example".into(), ..contact("odd") };
        let unsafe_one = Contacts { priority_customer_service_url: vec![odd.clone()], ..contacts };
        assert_eq!(unsafe_one.first_unsafe(), Some(&odd));
    }

    #[test]
    fn frames_come_from_what_opens_in_the_app() {
        assert_eq!(contacts(1, "https://chat.example.com:8443/a").frame_origins(), ["https://chat.example.com:8443"]);
        assert!(contacts(2, "https://chat.example.com/a").frame_origins().is_empty());
    }
}
