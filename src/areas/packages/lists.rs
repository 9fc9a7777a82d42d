use super::publishing::Status;
use super::{GroupPackageRow, PackageRow, sql};
use crate::kernel::paging::{EVER, Key, Sort};
use crate::kernel::walk::{self, CountedRows, WalkRow};
use crate::kernel::{Call, Page, Parameters, PreparedQuery, Query, Result};

edgeforge_row::statements!(mod ordered: "src/areas/packages/lists.sql");

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    Creation,
    Name,
    Version,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum OrderBy {
    CreatedAt,
    Name,
    Version,
    /// All are of one type.
    Type,
    /// Only a group has packages of several projects.
    ProjectPath,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Type {
    Generic,
    Cargo,
    Composer,
    Conan,
    Debian,
    Golang,
    Helm,
    Maven,
    MlModel,
    Npm,
    Nuget,
    Pypi,
    Rpm,
    Rubygems,
    TerraformModule,
}

/// A status in a filter. No package has the last three.
#[derive(Debug, Parameters, Clone, Copy)]
enum StatusFilter {
    Default,
    Hidden,
    Processing,
    Error,
    PendingDestruction,
}

#[derive(Debug, Parameters)]
struct Filter {
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
    package_type: Option<Type>,
    package_name: Option<String>,
    package_version: Option<String>,
    status: Option<StatusFilter>,
}

pub struct Search {
    order: Order,
    /// The order in a group.
    order_by: OrderBy,
    ascending: bool,
    name: Option<String>,
    version: Option<String>,
    /// None if no package has the status.
    status: Option<Status>,
    pub page: Page,
}

impl Search {
    pub fn read(call: &Call<'_>) -> Result<Search> {
        let Filter { order_by, sort, package_type, package_name, package_version, status } = call.filters()?;
        let is_of_type = package_type.is_none_or(|kind| kind == Type::Generic);
        let status = match status.unwrap_or(StatusFilter::Default) {
            StatusFilter::Default => Some(Status::Default),
            StatusFilter::Hidden => Some(Status::Hidden),
            StatusFilter::Processing | StatusFilter::Error | StatusFilter::PendingDestruction => None,
        };
        let order_by = order_by.unwrap_or_default();
        Ok(Search {
            order_by,
            order: match order_by {
                OrderBy::CreatedAt | OrderBy::Type | OrderBy::ProjectPath => Order::Creation,
                OrderBy::Name => Order::Name,
                OrderBy::Version => Order::Version,
            },
            ascending: sort != Some(Sort::Desc),
            name: package_name.map(|name| name.to_ascii_lowercase()),
            version: package_version,
            status: status.filter(|_| is_of_type),
            page: call.page()?,
        })
    }

    fn is_filtered(&self) -> bool {
        self.name.is_some() || self.version.is_some()
    }

    /// None: no package can be in the list.
    pub fn query(&self) -> Option<PreparedQuery<CountedRows<PackageRow>>> {
        let status = self.status.map(Status::word)?;
        let total = match self.is_filtered() {
            true => walk::count(self.page_of(&Page::to_count(), status)),
            false => sql::total { status }.prepare(),
        };
        Some((self.page_of(&self.page, status), total).prepare())
    }

    fn page_of(&self, page: &Page, status: &str) -> PreparedQuery<Vec<WalkRow<PackageRow>>> {
        let ([at, id], skip) = page.begin(start(self.order == Order::Creation, self.ascending));
        ordered::list {
            order: self.order,
            ascending: self.ascending,
            status,
            at,
            id,
            looks: walk::steps(page, skip, self.is_filtered()),
            name: self.name.as_deref(),
            version: self.version.as_deref(),
            most: page.size + 1,
            skip,
        }
        .prepare()
    }

    pub fn query_in_group(&self) -> Option<PreparedQuery<CountedRows<GroupPackageRow>>> {
        let status = self.status.map(Status::word)?;
        let by_time = self.order == Order::Creation && self.order_by != OrderBy::ProjectPath;
        let ([at, id], skip) = self.page.begin(start(by_time, self.ascending));
        let order = self.order_by.word();
        let (name, version) = (self.name.as_deref(), self.version.as_deref());
        let (ascends, most) = (self.ascending, self.page.size + 1);
        let count = sql::count_in_group { status, name, version };
        let list = sql::in_group { status, order, ascends, at, id, name, version, most, skip };
        Some((list, count).prepare())
    }

    pub fn keys(&self, row: &PackageRow) -> [Key; 2] {
        let key = match self.order {
            Order::Creation => Key::Int(row.created_at),
            Order::Name => Key::Text(row.name.clone()),
            Order::Version => Key::Text(row.version.clone()),
        };
        [key, row.id.into()]
    }

    pub fn keys_in_group(&self, GroupPackageRow { package, project }: &GroupPackageRow) -> [Key; 2] {
        match self.order_by {
            OrderBy::ProjectPath => [Key::Text(project.full_path.clone()), package.id.into()],
            _ => self.keys(package),
        }
    }
}

/// A key before those of all packages.
fn start(by_time: bool, ascending: bool) -> [Key; 2] {
    match (by_time, ascending) {
        (true, true) => [Key::Int(-EVER), Key::Int(-EVER)],
        (true, false) => [Key::Int(EVER), Key::Int(EVER)],
        (false, true) => [Key::Text(String::new()), Key::Int(-EVER)],
        // `~` comes after every letter that a name may have
        (false, false) => [Key::Text("~".to_owned()), Key::Int(EVER)],
    }
}
