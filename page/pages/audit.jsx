// `/admin/audit`: what administrators did.
import { useApi } from "../api.mjs";
import { Answer, Empty, ForMembers } from "../parts/feedback.jsx";
import { Live, newer } from "../parts/live.jsx";
import { Face } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { TitleRow } from "../parts/project.jsx";
import { Choice } from "../parts/search.jsx";
import { dayOf, Time } from "../parts/time.jsx";
import { AdminTabs } from "./admin.jsx";

const KINDS = [
  ["all", "All"],
  ["User", "Users"],
  ["Group", "Groups"],
  ["Project", "Projects"],
  ["SystemHook", "System hooks"],
  ["ApplicationSetting", "Settings"],
];

/** Of an operation, the words behind the name of a person. Others are shown as the API names them. */
const ACTS = {
  "POST /users": "made a user",
  "PUT /users/:id": "changed a user",
  "DELETE /users/:id": "deleted a user",
  "POST /users/:id/block": "blocked a user",
  "POST /users/:id/unblock": "unblocked a user",
  "POST /users/:id/personal_access_tokens": "made a token for a user",
  "DELETE /personal_access_tokens/:id": "revoked a token",
  "POST /personal_access_tokens/:id/rotate": "replaced a token",
  "PUT /application/settings": "changed settings",
  "DELETE /groups/:id": "deleted a group",
  "DELETE /projects/:id": "deleted a project",
};

export function AuditPage({ search, session }) {
  const mayRead = session?.id && session.user.is_admin;
  return (
    <>
      <AdminTabs current="audit" />
      {mayRead ? (
        <Acts search={search} />
      ) : (
        <>
          <TitleRow title="Acts" heading="Acts of administrators" />
          <ForMembers what="what administrators did" />
          {session?.id && <Empty title="Only administrators can see what administrators did." />}
        </>
      )}
    </>
  );
}

function Acts({ search }) {
  const { filter, place } = listQuery(search);
  const kind = KINDS.some(([one]) => one === filter.kind) && filter.kind !== "all" ? filter.kind : undefined;
  const answer = useApi("/audit_events", { entity_type: kind, per_page: 50, ...place });
  return (
    <>
      <TitleRow
        title="Acts"
        heading="Acts of administrators"
        beside={<Choice label="Of what" name="kind" choices={KINDS} filter={filter} />}
      />
      <Live of={answer} words={newer("new act", "new acts")} />
      <Answer of={answer} what="Loading the acts">
        {(acts) => (
          <>
            {!acts.length && <Empty title="No administrator has done anything that is noted." />}
            {[...new Set(acts.map((act) => dayOf(act.created_at)))].map((day) => (
              <section key={day} aria-label={day}>
                <p class="day">{day}</p>
                <ul class="rows faces">
                  {acts
                    .filter((act) => dayOf(act.created_at) === day)
                    .map((act) => (
                      <Act key={act.id} act={act} />
                    ))}
                </ul>
              </section>
            ))}
            <Pager next={answer.next} total={answer.total} shown={acts.length} />
          </>
        )}
      </Answer>
    </>
  );
}

const Act = ({ act: { event_name: name, details, created_at } }) => (
  <li class="row">
    <Face name={details.author_name} />
    <div class="row-main">
      <span>
        {details.author_name} {ACTS[name] ?? <code>{name}</code>}
      </span>
      {details.change && <span class="quiet">{details.change.replaceAll(",", ", ")}</span>}
      <p class="row-text">
        <code>{details.target_details}</code>
      </p>
    </div>
    <div class="row-side">
      <Time at={created_at} />
    </div>
  </li>
);
