//! Paths of projects in texts, as GitLab reads them.

/// Segments of a path, and bytes of one.
const MOST_SEGMENTS: usize = 22;
const LONGEST_SEGMENT: usize = 255;

/// Where the path at the end of `bytes` begins. A segment begins with no dash. That of a namespace ends with no dot, and
/// that of a project not like the address of a repository or a feed.
pub fn path_start(bytes: &[u8]) -> usize {
    let mut start = bytes.len();
    for segment in bytes.rsplit(|byte| *byte == b'/').take(MOST_SEGMENTS) {
        let is_project = start == bytes.len();
        let end = if is_project { start } else { start - 1 };
        let dashes = segment.iter().take_while(|byte| **byte == b'-').count();
        let is_refused = if is_project {
            [&b".git"[..], b".atom"].iter().any(|suffix| segment.ends_with(suffix))
        } else {
            segment.ends_with(b".")
        };
        if is_refused || dashes == segment.len() || segment.len() - dashes > LONGEST_SEGMENT {
            break;
        }
        start = end - segment.len() + dashes;
        if dashes > 0 {
            break;
        }
    }
    start
}
