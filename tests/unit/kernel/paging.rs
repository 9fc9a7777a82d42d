use super::*;

fn page(text: &str) -> Result<Page> {
    Page::from(&Request::default(), &Route::NONE, &Params::from_urlencoded(text).unwrap())
}

#[test]
fn defaults_and_limits() {
    for (text, number, size) in
        [("", 1, 20), ("page=0&per_page=0", 1, 20), ("page=-3&per_page=101", 1, 100), ("page=1.9&per_page=", 1, 20)]
    {
        let page = page(text).unwrap();
        assert_eq!((page.number, page.size), (number, size), "{text}");
    }
}

#[test]
fn a_page_that_is_no_number_is_refused() {
    assert_eq!(page("page=x").unwrap_err(), Error::framework("page is invalid"));
    assert_eq!(page("page=x&per_page=y").unwrap_err(), Error::framework("page is invalid, per_page is invalid"));
    for list in ["page[]=1", "page[a]=1", "page[]=x"] {
        assert_eq!(page(list).unwrap_err(), Error::framework("page is invalid"), "{list}");
    }
    assert_eq!(page("per_page[]=x&cursor=-").unwrap_err(), Error::framework("per_page is invalid, cursor is invalid"));
}

#[test]
fn a_page_by_its_number_skips_50_000_rows_at_most() {
    let near = page("page=501&per_page=100").unwrap();
    assert_eq!((near.starts(vec![Key::Int(0)]).1, near.is_beyond()), (50_000, false));
    for far in ["page=502&per_page=100", "page=2502", "page=99999999999999999999"] {
        let far = page(far).unwrap();
        assert_eq!((far.starts(vec![Key::Int(0)]).1, far.is_beyond()), (50_000, true), "{far:?}");
    }
    let within = page("page=7").unwrap().reaching(100);
    assert_eq!((within.starts(vec![Key::Int(0)]).1, within.is_beyond()), (100, true));
}
