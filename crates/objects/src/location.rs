//! The location of files, from the configuration.

use std::fmt;
use std::path::PathBuf;

use object_store::aws::AmazonS3ConfigKey;
use object_store::path::Path;

/// A folder, or a bucket with a prefix for all names.
#[derive(Clone)]
pub enum ObjectLocation {
    Folder(PathBuf),
    Bucket { name: String, prefix: Path, settings: Vec<(AmazonS3ConfigKey, String)> },
}

impl ObjectLocation {
    /// Parses `file://path`, absolute or relative to the working directory, or
    /// `s3://bucket/prefix`. `environment` contains the variables that configure S3,
    /// `AWS_ACCESS_KEY_ID` and so on; others are ignored.
    ///
    /// # Errors
    /// What is wrong with the address.
    pub fn parse<'a>(url: &str, environment: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, String> {
        if let Some(path) = url.strip_prefix("file://") {
            return if path.is_empty() { Err(format!("{url} names no folder")) } else { Ok(Self::Folder(path.into())) };
        }
        let Some(rest) = url.strip_prefix("s3://") else {
            return Err(format!("{url} begins with neither file:// nor s3://"));
        };
        let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, b'-' | b'.');
        if !((3..=63).contains(&name.len()) && name.bytes().all(plain)) {
            return Err(format!("{url} names no bucket"));
        }
        let prefix = Path::parse(prefix).map_err(|error| format!("{url}: {error}"))?;
        Ok(Self::Bucket { name: name.to_owned(), prefix, settings: settings(environment) })
    }
}

fn settings<'a>(environment: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<(AmazonS3ConfigKey, String)> {
    let ours = environment.into_iter().filter(|(name, _)| name.starts_with("AWS_"));
    ours.filter_map(|(name, value)| Some((name.to_ascii_lowercase().parse().ok()?, value.to_owned()))).collect()
}

/// Leaves out the settings, which include keys to a bucket.
impl fmt::Debug for ObjectLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "file://{}", path.display()),
            Self::Bucket { name, prefix, .. } => write!(f, "s3://{name}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> Result<String, String> {
        ObjectLocation::parse(url, [("AWS_SECRET_ACCESS_KEY", "hidden")]).map(|place| format!("{place:?}"))
    }

    #[test]
    fn addresses_are_folders_or_buckets() {
        for url in ["file:///var/lib/placard", "file://data/files", "s3://placard/", "s3://placard/a/b"] {
            assert_eq!(read(url).as_deref(), Ok(url));
        }
        assert_eq!(read("s3://placard").as_deref(), Ok("s3://placard/"));
    }

    #[test]
    fn what_is_neither_is_refused() {
        for url in
            ["data/files", "file://", "s3://", "s3:///a", "s3://Placard", "s3://ab", "s3://placard/a//b", "http://x"]
        {
            assert!(read(url).is_err_and(|problem| problem.starts_with(url)), "{url}");
        }
    }
}
