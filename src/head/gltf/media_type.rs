//! Picture formats, recognised by their first bytes.

/// Number of bytes that identify a format.
pub const MAGIC_BYTES: u64 = 16;

/// Returns the media type of a picture, also of formats that are not decoded here.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        _ if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => Some("image/png"),
        _ if bytes.starts_with(b"\xFF\xD8\xFF") => Some("image/jpeg"),
        _ if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") => Some("image/webp"),
        _ if bytes.starts_with(b"\xABKTX 20\xBB") => Some("image/ktx2"),
        _ if bytes.get(4..12) == Some(b"ftypavif") => Some("image/avif"),
        _ => None,
    }
}

/// Whether the bytes begin a picture that can be decoded.
pub fn is_supported(bytes: &[u8]) -> bool {
    matches!(media_type(bytes), Some("image/png" | "image/jpeg"))
}
