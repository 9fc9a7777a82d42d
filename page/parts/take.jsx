// Ways to get the files: the clone address of the git server, and archives.
import { inProject } from "../api.mjs";
import { Copy } from "./feedback.jsx";
import { Outside } from "./markdown.jsx";

/** @param {{ project: string, ref_: string, clone?: string, children?: any }} props */
export function Take({ project, ref_: ref, clone, children }) {
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
          <Outside key={format} href={`${location.origin}${archive(format)}`}>
            {format}
          </Outside>
        ))}
      </span>
      {children}
    </div>
  );
}
