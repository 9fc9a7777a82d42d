// Sends, by Debian's package golang-github-xanzy-go-gitlab-dev, what goreleaser and Argo CD send in this order, and what
// else the library has for contents. It prints one line of JSON with what it got. The Go types fail on a wrong answer.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run main.go
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	gitlab "github.com/xanzy/go-gitlab"
)

var (
	server  = os.Getenv("BASE_URL")
	group   = os.Getenv("GROUP_PATH")
	project = os.Getenv("PROJECT_PATH")
	tag     = os.Getenv("TAG")
)

func must[T any](value T, response *gitlab.Response, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func status(response *gitlab.Response) int {
	if response == nil {
		return 0
	}
	return response.StatusCode
}

func text(value string) *string { return &value }

func isThere(api *gitlab.Client, project *gitlab.Project, path, ref string) bool {
	_, response, err := api.RepositoryFiles.GetFile(project.ID, path, &gitlab.GetFileOptions{Ref: &ref})
	if err == nil {
		return true
	}
	if status(response) == 404 {
		_, response, err = api.Repositories.ListTree(project.ID, &gitlab.ListTreeOptions{Path: &path, Ref: &ref})
		if err == nil || status(response) == 404 {
			return err == nil
		}
	}
	panic(err)
}

func main() {
	api, err := gitlab.NewClient(os.Getenv("TOKEN"), gitlab.WithBaseURL(server))
	if err != nil {
		panic(err)
	}
	got := map[string]any{}

	// Argo CD, applicationset/services/scm_provider/gitlab.go
	off := false
	projects, response, err := api.Groups.ListGroupProjects(group, &gitlab.ListGroupProjectsOptions{
		ListOptions: gitlab.ListOptions{PerPage: 100}, IncludeSubGroups: &off, WithShared: &off, Topic: text(""),
	})
	must(projects, response, err)
	got["pages"] = []int{response.CurrentPage, response.TotalPages}
	found := must(api.Projects.GetProject(group+"/"+projects[0].Path, nil))
	got["argo"] = []string{projects[0].Namespace.FullPath, projects[0].Path, projects[0].HTTPURLToRepo, projects[0].DefaultBranch}
	branch := must(api.Branches.GetBranch(found.ID, found.DefaultBranch))
	branches := must(api.Branches.ListBranches(found.ID, &gitlab.ListBranchesOptions{ListOptions: gitlab.ListOptions{PerPage: 100}}))
	got["branches"] = []string{branch.Commit.ID, branches[0].Name}
	got["paths"] = []bool{
		isThere(api, found, "apps/web/kustomization.yaml", found.DefaultBranch),
		isThere(api, found, "apps/web", found.DefaultBranch),
		isThere(api, found, "apps/none", found.DefaultBranch),
	}

	// goreleaser, internal/client/gitlab.go
	must(api.Version.GetVersion())
	level := 0
	if access := found.Permissions.ProjectAccess; access != nil {
		level = int(access.AccessLevel)
	}
	got["level"] = level
	compared := must(api.Repositories.Compare(project, &gitlab.CompareOptions{From: text("v0.1.0"), To: &tag}))
	got["changes"] = len(compared.Commits)
	_, response, err = api.Releases.GetRelease(project, tag)
	got["before"] = status(response)
	must(api.Releases.CreateRelease(project, &gitlab.CreateReleaseOptions{Name: text("Go"), Description: text("notes"), Ref: &compared.Commit.ID, TagName: &tag}))
	must(api.Releases.UpdateRelease(project, tag, &gitlab.UpdateReleaseOptions{Name: text("Go"), Description: text("more notes")}))
	content := []byte("\x7fELF of the tool")
	must(api.GenericPackages.PublishPackageFile(project, "project", "1.0.0", "tool_linux_amd64.tar.gz", bytes.NewReader(content), nil))
	path, err := api.GenericPackages.FormatPackageURL(project, "project", "1.0.0", "tool_linux_amd64.tar.gz")
	if err != nil {
		panic(err)
	}
	address := api.BaseURL().String() + path
	link := gitlab.CreateReleaseLinkOptions{Name: text("tool_linux_amd64.tar.gz"), URL: &address, FilePath: text("/tool_linux_amd64.tar.gz")}
	must(api.ReleaseLinks.CreateReleaseLink(project, tag, &link))
	_, response, err = api.ReleaseLinks.CreateReleaseLink(project, tag, &link)
	got["again"] = status(response)
	uploaded := must(api.Projects.UploadFile(project, bytes.NewReader(content), "checksums.txt"))
	// this version reads no full_path
	address = server + "/" + project + uploaded.URL
	must(api.ReleaseLinks.CreateReleaseLink(project, tag, &gitlab.CreateReleaseLinkOptions{Name: text("checksums.txt"), URL: &address}))
	release := must(api.Releases.GetRelease(project, tag))
	got["links"] = len(release.Assets.Links)
	got["same"] = bytes.Equal(must(api.GenericPackages.DownloadPackageFile(project, "project", "1.0.0", "tool_linux_amd64.tar.gz")), content)

	// the rest of the library
	file := must(api.RepositoryFiles.GetFileMetaData(project, "apps/web/kustomization.yaml", &gitlab.GetFileMetaDataOptions{Ref: &tag}))
	raw := must(api.RepositoryFiles.GetRawFile(project, "apps/web/kustomization.yaml", &gitlab.GetRawFileOptions{Ref: &tag}))
	sum := sha256.Sum256(raw)
	got["file"] = file.SHA256 == hex.EncodeToString(sum[:]) && file.Size == len(raw) && file.CommitID == compared.Commit.ID
	got["blob"] = bytes.Equal(must(api.Repositories.RawBlobContent(project, file.BlobID)), raw)
	got["archive"] = len(must(api.Repositories.Archive(project, &gitlab.ArchiveOptions{SHA: &tag}))) > 100
	got["base"] = must(api.Repositories.MergeBase(project, &gitlab.MergeBaseOptions{Ref: &[]string{"v0.1.0", tag}})).ID != ""
	got["contributors"] = len(must(api.Repositories.Contributors(project, nil)))
	got["packages"] = len(must(api.Packages.ListProjectPackages(project, nil)))
	got["projects"] = len(must(api.Search.Projects("project", &gitlab.SearchOptions{})))
	got["html"] = must(api.Markdown.Render(&gitlab.RenderOptions{Text: text("**a**")})).HTML
	_, response, err = api.RepositoryFiles.CreateFile(project, "new", &gitlab.CreateFileOptions{Branch: text("main"), Content: text("a"), CommitMessage: text("a")})
	got["write"] = err.Error()
	_ = json.NewEncoder(os.Stdout).Encode(got)
}
