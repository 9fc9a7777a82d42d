use super::publishing::Status;
use super::{GroupPackageRow, PackageRow, sql};
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
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

    /// None: no package can be in the list.
    pub fn query(&self) -> Option<PreparedQuery<Listed<PackageRow>>> {
        let (status, page) = (self.status.map(Status::word)?, self.page.clone());
        let (order, ascending, name, version) =
            (self.order, self.ascending, self.name.as_deref(), self.version.as_deref());
        Some(ordered::list { order, ascending, status, name, version, page }.prepare())
    }

    pub fn query_in_group(&self) -> Option<PreparedQuery<Listed<GroupPackageRow>>> {
        let (status, page, ascending) = (self.status.map(Status::word)?, self.page.clone(), self.ascending);
        let (name, version) = (self.name.as_deref(), self.version.as_deref());
        Some(match self.order_by {
            OrderBy::CreatedAt | OrderBy::Type => {
                sql::newest_in_group { status, name, version, ascending, page }.prepare()
            }
            by => sql::sorted_in_group { status, by: by.word(), name, version, ascending, page }.prepare(),
        })
    }
}
