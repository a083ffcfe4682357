//! The metadata of VRM avatars: names and licence.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

/// The extensions of a document that matter here.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Extensions {
    /// VRM 0.
    #[serde(rename = "VRM")]
    old: Option<Avatar<OldMeta>>,
    /// VRM 1.
    #[serde(rename = "VRMC_vrm")]
    new: Option<Avatar<NewMeta>>,
}

#[derive(Deserialize)]
#[serde(bound = "Meta: DeserializeOwned")]
struct Avatar<Meta> {
    #[serde(default = "Option::default", deserialize_with = "readable")]
    meta: Option<Meta>,
}

/// Reads metadata, or none where they are broken: whose avatar it is still tells how it stands.
fn readable<'de, D: Deserializer<'de>, Meta: DeserializeOwned>(
    from: D,
) -> Result<Option<Meta>, D::Error> {
    let meta = serde_json::Value::deserialize(from)?;
    Ok(serde_json::from_value(meta).ok())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OldMeta {
    title: Option<String>,
    author: Option<String>,
    license_name: Option<String>,
    other_license_url: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewMeta {
    name: Option<String>,
    #[serde(default)]
    authors: Vec<String>,
    license_url: Option<String>,
}

impl Extensions {
    /// Returns `true` for VRM 0, whose avatars look to -Z.
    pub fn looks_back(&self) -> bool {
        self.old.is_some()
    }

    /// Returns the names and the licence in one line: `"Alicia", by Jo: CC_BY`.
    pub fn licence(&self) -> Option<String> {
        let old = self.old.as_ref().and_then(|old| old.meta.as_ref());
        let new = self.new.as_ref().and_then(|new| new.meta.as_ref());
        let (name, author, licence) = match (new, old) {
            (Some(new), _) => (
                new.name.clone(),
                Some(new.authors.join(", ")),
                new.license_url.clone(),
            ),
            (None, Some(old)) => {
                let url = old.other_license_url.clone().filter(|url| !url.is_empty());
                (
                    old.title.clone(),
                    old.author.clone(),
                    url.or(old.license_name.clone()),
                )
            }
            (None, None) => return None,
        };
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let name =
            given(name).map_or_else(|| "without a name".to_owned(), |name| format!("{name:?}"));
        let author = given(author).map_or_else(String::new, |author| format!(", by {author}"));
        let licence = given(licence).unwrap_or_else(|| "no licence is given".to_owned());
        Some(format!("{name}{author}: {licence}"))
    }
}
