use super::in_api;

fn told(address: &str) -> Option<String> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    in_api(path, query).map(|(path, query)| format!("{path}?{query}"))
}

#[test]
fn paths_of_several_segments_become_one_segment() {
    for (address, in_api) in [
        ("/api/v4/projects/1/releases/v1/downloads/a/b?x=1", "/api/v4/projects/1/releases/v1/downloads/a%2Fb?x=1"),
        ("/api/v4/projects/1/releases/permalink/latest/a/b", "/api/v4/projects/1/releases/permalink/latest/a%2Fb?"),
        ("/api/v4/projects/1/repository/archive.tar.gz?sha=x", "/api/v4/projects/1/repository/archive/tar.gz?sha=x"),
        (
            "/api/v4/projects/1/packages/generic/n/1.0/a/b/c.txt",
            "/api/v4/projects/1/packages/generic/n/1.0/a%2Fb%2Fc.txt?",
        ),
        ("/api/v3/projects/1/repository/archive.zip", "/api/v3/projects/1/repository/archive/zip?"),
        ("/api/v4/projects/1/repository/archive?sha=x&format=zip", "/api/v4/projects/1/repository/archive/zip?sha=x"),
    ] {
        assert_eq!(told(address).as_deref(), Some(in_api), "{address}");
    }
}

#[test]
fn addresses_that_programs_read_are_routes_of_the_api() {
    for (address, in_api) in [
        ("/g/p/-/raw/master/a/b.c?inline=false", "/api/v4/projects/g%2Fp/repository/raw/master%2Fa%2Fb.c?inline=false"),
        (
            "/g/p/-/archive/a/b/p-a-b.tar.gz",
            "/api/v4/projects/g%2Fp/repository/archive/tar.gz?sha=a%2Fb&file=p-a-b.tar.gz",
        ),
        (
            "/g/p/-/archive/v1.0/p-v1.0.zip?path=x",
            "/api/v4/projects/g%2Fp/repository/archive/zip?sha=v1.0&file=p-v1.0.zip&path=x",
        ),
        (
            "/g/p/-/archive/v1.0.tar.gz?path=x",
            "/api/v4/projects/g%2Fp/repository/archive/tar.gz?sha=v1.0&file=v1.0.tar.gz&path=x",
        ),
        ("/g/p/archive/a%2Fb.zip", "/api/v4/projects/g%2Fp/repository/archive/zip?sha=a%2Fb&file=a%2Fb.zip"),
        ("/g/p/-/archive/v1+2/a&b.zip", "/api/v4/projects/g%2Fp/repository/archive/zip?sha=v1%2B2&file=a%26b.zip"),
        ("/g/p/raw/master/a/b.c", "/api/v4/projects/g%2Fp/repository/raw/master%2Fa%2Fb.c?"),
        (
            "/g/p/archive/v1/p-v1.zip?ref_type=tags&path=x",
            "/api/v4/projects/g%2Fp/repository/archive/zip?sha=refs%2Ftags%2Fv1&file=p-v1.zip&path=x",
        ),
        (
            "/g/p/-/archive/v1/p-v1.zip?ref_type=heads",
            "/api/v4/projects/g%2Fp/repository/archive/zip?sha=refs%2Fheads%2Fv1&file=p-v1.zip",
        ),
        ("/g/p/releases/v1/downloads/bin/a", "/api/v4/projects/g%2Fp/releases/v1/downloads/bin%2Fa?"),
        ("/g/p/-/releases/v1/downloads/bin/a", "/api/v4/projects/g%2Fp/releases/v1/downloads/bin%2Fa?"),
        ("/g/p/-/releases/v1/downloads/a", "/api/v4/projects/g%2Fp/releases/v1/downloads/a?"),
        ("/g/p/-/releases/permalink/latest", "/api/v4/projects/g%2Fp/releases/permalink/latest?"),
        (
            "/-/project/7/uploads/0123456789abcdef0123456789abcdef/a.png?x=1",
            "/api/v4/projects/7/uploads/0123456789abcdef0123456789abcdef/a.png?x=1",
        ),
        (
            "//-/project/7/uploads/0123456789abcdef0123456789abcdef/a.png",
            "/api/v4/projects/7/uploads/0123456789abcdef0123456789abcdef/a.png?",
        ),
        (
            "/g/p/uploads/0123456789abcdef0123456789abcdef/a.png",
            "/api/v4/projects/g%2Fp/uploads/0123456789abcdef0123456789abcdef/a.png?",
        ),
        (
            "/g/p/-/uploads/0123456789abcdef0123456789abcdef/a.png",
            "/api/v4/projects/g%2Fp/uploads/0123456789abcdef0123456789abcdef/a.png?",
        ),
        ("/g/p/badges/master/pipeline.svg", "/api/v4/projects/g%2Fp/badges/master/pipeline.svg?"),
    ] {
        assert_eq!(told(address).as_deref(), Some(in_api), "{address}");
    }
}

#[test]
fn other_addresses_stay() {
    for address in [
        "/api/v4/projects/1/repository/archive?sha=x",
        "/api/v4/projects/1/releases/v1/downloads/a",
        "/api/v4/projects/1/releases/v1",
        "/api/v4/projects/1/repository/tree",
        "/g/p/-/raw/master",
        "/g/p/-/archive/master",
        "/g/p/-/archive/.zip",
        "/g/p/-/releases/v1",
        "/g/p/-/issues/1",
        "/g/-/raw/master/x",
        "/g/p/uploads/1/a.png",
        "/g/uploads/0123456789abcdef0123456789abcdef/a.png",
        "/-/project/7/uploads/0123456789abcdef/a.png",
        "/api/v4/projects/1/packages/generic/n/1.0/a",
        "/",
    ] {
        assert_eq!(told(address), None, "{address}");
    }
}
