//! Rewrites addresses to those of a route of the API: addresses of pages that programs read, and paths with slashes in
//! a name that a route has as one segment.

use crate::areas::badges;

/// Path and query in the API. None if the address need not be rewritten.
pub fn in_api(path: &str, query: &str) -> Option<(String, String)> {
    if let Some(path) = badges::v4::path_in_api(path) {
        return Some((path, query.to_owned()));
    }
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    match segments.as_slice() {
        ["api", "v4", above @ .., "-", "search"] if above.len() != 1 && above.len() < 3 => {
            let above: String = above.iter().map(|segment| format!("/{segment}")).collect();
            Some((format!("/api/v4{above}/search"), query.to_owned()))
        }
        ["api", version, "projects", id, rest @ ..] => {
            let (rest, query) = below(rest, query)?;
            Some((format!("/api/{version}/projects/{id}/{rest}"), query))
        }
        ["api", ..] => None,
        ["-", "project", id, "uploads", secret, file] => Some((upload(id, secret, file)?, query.to_owned())),
        [project @ .., "-", "uploads", secret, file] | [project @ .., "uploads", secret, file]
            if project.len() > 1 && is_secret(secret) =>
        {
            Some((upload(&path_of(project), secret, file)?, query.to_owned()))
        }
        _ => {
            // the older addresses have no `-`
            let at = segments.iter().position(|segment| *segment == "-").unwrap_or(2);
            let (project, rest) = segments.split_at_checked(at).filter(|_| at > 1)?;
            let (project, rest) = (path_of(project), rest.strip_prefix(&["-"]).unwrap_or(rest));
            let (rest, query) = page(rest, query)?;
            Some((format!("/api/v4/projects/{project}/{rest}"), query))
        }
    }
}

/// Whether it is an address of a file outside of the API.
pub fn is_of_file(path: &str) -> bool {
    !path.starts_with("/api/") && badges::v4::path_in_api(path).is_none() && in_api(path, "").is_some()
}

/// The end of a path as one segment.
fn path_of(segments: &[&str]) -> String {
    segments.join("%2F")
}

/// Whether it is the secret in the address of an upload: 32 hexadecimal digits.
pub fn is_secret(segment: &str) -> bool {
    segment.len() == 32 && segment.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn upload(project: &str, secret: &str, file: &str) -> Option<String> {
    is_secret(secret).then(|| format!("/api/v4/projects/{project}/uploads/{secret}/{file}"))
}

fn below(rest: &[&str], query: &str) -> Option<(String, String)> {
    match rest {
        ["releases", "permalink", "latest", suffix @ ..] if suffix.len() > 1 => {
            Some((format!("releases/permalink/latest/{}", path_of(suffix)), query.to_owned()))
        }
        ["releases", tag, "downloads", path @ ..] if path.len() > 1 => {
            Some((format!("releases/{tag}/downloads/{}", path_of(path)), query.to_owned()))
        }
        ["packages", "generic", name, version, file @ ..] if file.len() > 1 => {
            Some((format!("packages/generic/{name}/{version}/{}", path_of(file)), query.to_owned()))
        }
        ["repository", "archive"] => {
            let format = query.split('&').find_map(|pair| pair.strip_prefix("format="))?;
            let is_other = |pair: &&str| !pair.starts_with("format=");
            let others: Vec<&str> = query.split('&').filter(is_other).collect();
            Some((format!("repository/archive/{format}"), others.join("&")))
        }
        ["repository", file] => {
            let format = file.strip_prefix("archive.").filter(|format| !format.is_empty())?;
            Some((format!("repository/archive/{format}"), query.to_owned()))
        }
        _ => None,
    }
}

/// The path and query in the API of a page's address.
fn page(rest: &[&str], query: &str) -> Option<(String, String)> {
    match rest {
        ["releases", "permalink", "latest", ..] | ["releases", _, "downloads", _, ..] => {
            below(rest, query).or_else(|| Some((rest.join("/"), query.to_owned())))
        }
        ["raw", path @ ..] if path.len() > 1 => Some((format!("repository/raw/{}", path_of(path)), query.to_owned())),
        // with the name of a file behind the ref, or without: `archive/master.tar.gz`
        ["archive", name @ .., file] => {
            let (stem, format) = stem_and_format(file)?;
            let name = if name.is_empty() { &[stem] } else { name };
            // in a query these would be a space, and the end of the value
            let escaped = |text: &str| text.replace('+', "%2B").replace('&', "%26");
            let (name, file) = (escaped(&path_of(name)), escaped(file));
            let kinds = [("ref_type=heads", "refs%2Fheads%2F"), ("ref_type=tags", "refs%2Ftags%2F")];
            let of_kind = |pair: &str| kinds.iter().find(|(asked, _)| *asked == pair).map(|(_, above)| *above);
            let above = query.split('&').find_map(of_kind).unwrap_or_default();
            let others: Vec<&str> = query.split('&').filter(|pair| of_kind(pair).is_none()).collect();
            let query = format!("sha={above}{name}&file={file}&{}", others.join("&"));
            Some((format!("repository/archive/{format}"), query.trim_end_matches('&').to_owned()))
        }
        _ => None,
    }
}

/// The name of an archive, and the end of it that names its format.
pub fn stem_and_format(file: &str) -> Option<(&str, &str)> {
    let double =
        ["tar.gz", "tar.bz2"].into_iter().find_map(|end| Some((file.strip_suffix(end)?.strip_suffix('.')?, end)));
    double.or_else(|| file.rsplit_once('.')).filter(|(stem, _)| !stem.is_empty())
}

#[cfg(test)]
#[path = "../../tests/unit/areas/addresses.rs"]
mod tests;
