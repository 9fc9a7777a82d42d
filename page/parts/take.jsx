// Ways to get the files: the clone address of the git server, and archives.
import { inProject } from "../api.mjs";
import { FileLink } from "./download.jsx";
import { Copy } from "./feedback.jsx";

/** @param {{ project: string, ref_: string, clone?: string, isPublic?: boolean, children?: any }} props */
export function Take({ project, ref_: ref, clone, isPublic, children }) {
  const archive = (format) => `/api/v4${inProject(project, `/repository/archive.${format}`)}?${new URLSearchParams({ sha: ref })}`;
  return (
    <div class="take">
      {clone && (
        <span class="hash">
          <code title={clone}>git clone {clone}</code> <Copy text={`git clone ${clone}`} what="the command" />
        </span>
      )}
      <span>
        Download{" "}
        {["zip", "tar.gz"].map((format) => (
          <FileLink key={format} href={`${location.origin}${archive(format)}`} isPublic={isPublic}>
            {format}
          </FileLink>
        ))}
      </span>
      {children}
    </div>
  );
}
