import { always, count, id, list, nullable, object, one, paths, ref, text, time, visitors } from "../words.mjs";

const sha256 = text({ pattern: "^[0-9a-f]{64}$" });
const none = { type: "null" };
const file = text({ format: "binary" });
/** Types that browsers do not run. */
const TYPES =
  "image/png image/jpeg image/gif image/bmp image/tiff image/x-icon image/webp video/mp4 video/x-m4v video/quicktime video/webm video/ogg audio/mpeg audio/ogg audio/wav audio/flac application/pdf application/octet-stream".split(
    " ",
  );
const shown = { content: Object.fromEntries([...TYPES, "text/plain; charset=utf-8"].map((type) => [type, { schema: text() }])) };
const bytes = { content: { "application/octet-stream": { schema: text() } } };

export const form = { "multipart/form-data": { schema: object({ file }) } };
const secret = text({
  description:
    "32 lower-case hexadecimal digits. Administrators give an upload the secret that it had elsewhere; 409 if it is taken. From others it has no effect.",
});

/** What v3 and v4 say of a new upload. */
export const uploading = {
  description:
    "For all who see the project with a token. At most `max_attachment_size` megabytes: 413. 403 if the project is archived or has no room.",
  query: { secret },
  anyBody: form,
  refuses: [409, 501],
};

const publishedFile = {
  id: id(),
  package_id: id(),
  created_at: time,
  updated_at: time,
  size: count("Bytes."),
  file_store: always(1),
  file_md5: none,
  file_sha1: none,
  file_name: text("With its path."),
  file: object({ url: text("The address of the file.") }),
  file_sha256: sha256,
  verification_retry_at: none,
  verified_at: none,
  verification_failure: none,
  verification_retry_count: none,
  verification_checksum: none,
  verification_state: always(0),
  verification_started_at: none,
  status: always("default"),
  file_final_path: none,
  project_id: id(),
  new_file_path: none,
};

const packageOfProject = {
  id: id(),
  name: text(),
  version: text(),
  package_type: always("generic"),
  status: one("default", "hidden"),
  _links: object(
    { web_path: text("Below the server."), delete_api_path: text("For who may delete it.") },
    { optional: ["delete_api_path"] },
  ),
  created_at: time,
  last_downloaded_at: nullable(time),
  tags: list(text(), { maxItems: 0 }),
};

export const schemas = {
  NewUpload: object({
    id: id(),
    alt: text(),
    url: text("Below the project."),
    full_path: text("Below the server."),
    markdown: text("A link for texts of the project."),
  }),
  Upload: object(
    {
      id: id(),
      size: count("Bytes."),
      filename: text(),
      created_at: time,
      uploaded_by: object({ id: id(), name: text(), username: text() }),
      secret: text({ pattern: "^[0-9a-f]{32}$", description: "Only for administrators. GitLab has no such field." }),
    },
    { optional: ["uploaded_by", "secret"] },
  ),
  Package: object(packageOfProject),
  GroupPackage: object({ ...packageOfProject, project_id: id(), project_path: text() }),
  PackageFile: object({
    id: id(),
    package_id: id(),
    created_at: time,
    file_name: text("With its path."),
    size: count("Bytes."),
    file_md5: none,
    file_sha1: none,
    file_sha256: sha256,
  }),
  PublishedFile: object(publishedFile),
};

const word = (description, example) => ({
  description,
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[A-Za-z0-9._+-]+$" },
  example,
});
const ofUpload = {
  secret: {
    description: "From the address of the upload.",
    schema: { type: "string", pattern: "^[0-9a-f]{32}$", maxLength: 32 },
    example: "0123456789abcdef0123456789abcdef",
  },
  filename: { description: "The name of the file.", schema: { type: "string", minLength: 1, maxLength: 255 }, example: "dk.png" },
};
const ofFile = {
  name: word("The name of the package.", "tool"),
  version: word("Its version, without `..`.", "1.0.0"),
  file_name: {
    description: "The name of the file, also with a path of several segments in front. Inside of a name also `~` and `@`.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
    example: "tool.tar.gz",
  },
};
const status = { ...one("default", "hidden"), description: "Of the package. Lists leave hidden ones out." };
const FILTERS = {
  order_by: {
    ...one("created_at", "name", "version", "type", "project_path"),
    default: "created_at",
    description: "The last two sort the packages of one project like `created_at`.",
  },
  sort: { ...one("asc", "desc"), default: "asc" },
  package_type: {
    ...one(
      "generic",
      "cargo",
      "composer",
      "conan",
      "debian",
      "golang",
      "helm",
      "maven",
      "ml_model",
      "npm",
      "nuget",
      "pypi",
      "rpm",
      "rubygems",
      "terraform_module",
    ),
    description: "All packages are `generic`.",
  },
  package_name: text("A part of the name, in any case."),
  package_version: text("The version."),
  status: { ...one("default", "hidden", "processing", "error", "pending_destruction"), default: "default" },
};

const uploads = "/projects/{id}/uploads";
const packages = "/projects/{id}/packages";
const generic = `${packages}/generic/{name}/{version}/{file_name}`;
export const pathsOfUploads = {
  uploads: paths("Uploads", {
    [`POST ${uploads}`]: { id: "createUpload", summary: "Upload a file", ...uploading, gives: { 201: ref("NewUpload") } },
    [`GET ${uploads}`]: {
      id: "listUploads",
      summary: "List the uploads of a project, the newest first",
      description: "For masters.",
      paged: "bounded",
      gives: { 200: list(ref("Upload")) },
    },
    [`GET ${uploads}/{upload_id}`]: {
      id: "showUpload",
      summary: "The bytes of an upload",
      description: "For masters.",
      ranges: true,
      refuses: [501],
      gives: { 200: shown, 206: shown },
    },
    [`DELETE ${uploads}/{upload_id}`]: {
      id: "deleteUpload",
      summary: "Delete an upload",
      description: "For masters.",
      gives: { 204: null },
    },
    [`GET ${uploads}/{secret}/{filename}`]: {
      id: "showUploadOfAddress",
      summary: "The bytes of an upload by its address",
      description: "Also `/-/project/{id}/uploads/{secret}/{filename}` and `/NAMESPACE/PROJECT/uploads/{secret}/{filename}`.",
      path: ofUpload,
      ranges: true,
      refuses: [501],
      gives: { 200: shown, 206: shown },
      open: visitors,
    },
    [`DELETE ${uploads}/{secret}/{filename}`]: {
      id: "deleteUploadOfAddress",
      summary: "Delete an upload by its address",
      description: "For masters.",
      path: ofUpload,
      gives: { 204: null },
    },
  }),
  packages: paths("Packages", {
    [`GET ${packages}`]: {
      id: "listPackages",
      summary: "List the packages of a project",
      query: FILTERS,
      paged: "bounded",
      gives: { 200: list(ref("Package")) },
      open: visitors,
    },
    "GET /groups/{id}/packages": {
      id: "listGroupPackages",
      summary: "The newest packages of a group's projects",
      query: FILTERS,
      paged: "bounded",
      gives: { 200: list(ref("GroupPackage")) },
      open: visitors,
    },
    [`GET ${packages}/{package_id}`]: { id: "showPackage", summary: "A package", gives: { 200: ref("Package") }, open: visitors },
    [`DELETE ${packages}/{package_id}`]: {
      id: "deletePackage",
      summary: "Delete a package and its files",
      description: "For masters.",
      gives: { 204: null },
    },
    [`GET ${packages}/{package_id}/package_files`]: {
      id: "listPackageFiles",
      summary: "List the files of a package, the oldest first",
      paged: "bounded",
      gives: { 200: list(ref("PackageFile")) },
      open: visitors,
    },
    [`DELETE ${packages}/{package_id}/package_files/{file_id}`]: {
      id: "deletePackageFile",
      summary: "Delete a file of a package",
      description: "For masters. The package stays.",
      gives: { 204: null },
    },
    [`GET ${generic}`]: {
      id: "downloadPackageFile",
      summary: "The bytes of a file of a package",
      description:
        "The newest of the files with this name. Without a token a project that is not public is 401. The token may be the password of HTTP Basic, as for all packages.",
      path: ofFile,
      ranges: true,
      refuses: [501],
      gives: { 200: bytes, 206: bytes },
      open: visitors,
    },
    [`PUT ${generic}`]: {
      id: "publishPackageFile",
      summary: "Publish a file in a package",
      description:
        "For developers. The body is the file, whatever its type. A package that is not there is made. A file of the same name is kept, and the newest is served. 200 with the file if `select` asks for it.",
      path: ofFile,
      query: { status, select: one("package_file") },
      octets: true,
      refuses: [501],
      gives: { 200: ref("PublishedFile"), 201: object({ message: always("201 Created") }) },
    },
  }),
};
