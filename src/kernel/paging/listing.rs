//! The paging headers of a list (behaviour 5.3).

use super::{Page, Total};
use crate::kernel::dialect::Dialect;
use crate::kernel::http::{Reply, Request};
use crate::kernel::params::Params;
use form_urlencoded::Serializer;

pub struct Listing<'a> {
    pub request: &'a Request,
    pub dialect: Dialect,
    pub params: &'a Params,
    pub page: &'a Page,
    pub total: Total,
    /// Names and values of the path's placeholders. The links repeat them, as existing clients expect.
    pub path: &'a [(&'a str, &'a str)],
    pub next_cursor: Option<String>,
}

impl Listing<'_> {
    pub fn with_headers(&self, items: Reply) -> Reply {
        let Page { number, first, size, .. } = *self.page;
        if self.page.keyset {
            return self.with_next(items);
        }
        let reply = items.with("X-Per-Page", size.to_string()).with("X-Page", (number - 1 + first).to_string());
        let (reply, last) = match self.total {
            Total::Both(total, _) => {
                let pages = if total == 0 {
                    self.dialect.pages_of_nothing()
                } else {
                    total / size + i64::from(total % size != 0)
                };
                (reply.with("X-Total", total.to_string()).with("X-Total-Pages", pages.to_string()), Some(pages))
            }
            Total::More(_) | Total::Hidden(_) => (reply, None),
        };
        let next = self.total.has_more().then_some(number + 1);
        let previous = (number > 1).then_some(number - 1);
        let shown = |page: Option<i64>| page.map(|page| (page - 1 + first).to_string()).unwrap_or_default();
        reply
            .with("X-Next-Page", shown(next))
            .with("X-Prev-Page", shown(previous))
            .with("Link", self.links(previous, next, last))
    }

    fn with_next(&self, reply: Reply) -> Reply {
        let Some(cursor) = self.next_cursor.as_deref().filter(|_| self.total.has_more()) else { return reply };
        let mut params = self.repeated();
        params.set("cursor", cursor);
        reply.with("Link", format!("<{}>; rel=\"next\"", address_of(self.request, &params)))
    }

    fn links(&self, previous: Option<i64>, next: Option<i64>, last: Option<i64>) -> String {
        let relations = [("prev", previous), ("next", next), ("first", Some(1)), ("last", last)];
        let link = |(relation, page): (&str, Option<i64>)| {
            let cursor = if relation == "next" { self.next_cursor.as_deref() } else { None };
            Some(format!("<{}>; rel=\"{relation}\"", self.address(page?, cursor)))
        };
        relations.into_iter().filter_map(link).collect::<Vec<_>>().join(", ")
    }

    fn address(&self, page: i64, cursor: Option<&str>) -> String {
        let mut params = self.repeated();
        params.set("page", &(page - 1 + self.page.first).to_string());
        params.set("per_page", &self.page.size.to_string());
        cursor.into_iter().for_each(|text| params.set("cursor", text));
        address_of(self.request, &params)
    }

    /// The address of the request with one more parameter.
    pub fn address_with(request: &Request, params: &Params, name: &str, value: &str) -> String {
        let mut params = params.without(&["private_token", "access_token", name]);
        params.set(name, value);
        address_of(request, &params)
    }

    fn repeated(&self) -> Params {
        let mut params = self.params.without(&["private_token", "access_token", "cursor"]);
        self.path.iter().for_each(|(name, value)| params.set(name, value));
        params
    }
}

fn address_of(request: &Request, params: &Params) -> String {
    let query = Serializer::new(String::new()).extend_pairs(params.pairs()).finish();
    format!("{}{}?{query}", request.origin, request.path)
}
