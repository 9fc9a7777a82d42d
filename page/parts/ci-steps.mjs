// How a CI comes in without a secret: the issuer and the claims of each system, and the step of docs/ci.md.

/** The last step of a job. Forgejo has that of GitHub. */
const STEPS = {
  github: `      - name: Report to edgeforge
        if: always() && !github.event.pull_request.head.repo.fork
        env:
          AUDIENCE: urn:edgeforge:trust:00000000000000000000
          RESULT: $\{{ job.status }}
          SHA: $\{{ github.event.pull_request.head.sha || github.sha }}
          REF: $\{{ github.head_ref || github.ref_name }}
          JOB: $\{{ github.job }}$\{{ strategy.job-total > 1 && format(' ({0})', join(matrix.*, ', ')) || '' }}
          RUN: $\{{ github.server_url }}/$\{{ github.repository }}/actions/runs/$\{{ github.run_id }}
        run: |
          [ "$ACTIONS_ID_TOKEN_REQUEST_URL" ] || { echo "::error::the job needs id-token: write"; exit 1; }
          case "$RESULT" in success) state=success ;; cancelled) state=canceled ;; *) state=failed ;; esac
          for try in $(seq 60); do
            jwt=$(curl --silent --show-error --fail --header "Authorization: bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
              "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=$AUDIENCE" | sed 's/.*"value": *"\\([^"]*\\)".*/\\1/')
            answer=$(curl --silent --show-error --retry 5 --max-time 20 --write-out ' %header{x-hint} %{http_code}' \\
              --header "Authorization: Bearer $jwt" \\
              --header "Idempotency-Key: $GITHUB_RUN_ID-$GITHUB_RUN_ATTEMPT-$JOB" \\
              --data-urlencode "state=$state" --data-urlencode "name=actions/$JOB" \\
              --data-urlencode "ref=$REF" --data-urlencode "target_url=$RUN" \\
              "https://forge.example.com/api/v4/projects/group%2Fproject/statuses/$SHA") || exit
            case "$answer" in *' 201') exit 0 ;; esac
            echo "$answer"
            case "$answer" in *'Commit Not Found'*' 404') sleep 10 ;; *) exit 1 ;; esac
          done
          exit 1`,
  gitlab: `report:
  stage: .post
  when: always
  image: curlimages/curl
  id_tokens:
    EDGEFORGE_JWT:
      aud: urn:edgeforge:trust:00000000000000000000
  script:
    - |
      curl --fail-with-body --silent --show-error --retry 5 --header "Authorization: Bearer $EDGEFORGE_JWT" \\
        --header "Idempotency-Key: $CI_PIPELINE_ID-$CI_JOB_ID" \\
        --data-urlencode "state=$\{STATE:-success}" --data-urlencode "name=gitlab/$CI_PIPELINE_NAME" \\
        --data-urlencode "ref=$CI_COMMIT_REF_NAME" --data-urlencode "target_url=$CI_PIPELINE_URL" \\
        "https://forge.example.com/api/v4/projects/group%2Fproject/statuses/$CI_COMMIT_SHA"`,
  buildkite: `steps:
  - label: report
    command: |
      jwt=$$(buildkite-agent oidc request-token --audience urn:edgeforge:trust:00000000000000000000 --claim pipeline_id)
      curl --fail-with-body --silent --show-error --retry 5 --header "Authorization: Bearer $$jwt" \\
        --header "Idempotency-Key: $$BUILDKITE_JOB_ID" \\
        --data-urlencode state=success --data-urlencode "name=buildkite/$$BUILDKITE_PIPELINE_SLUG" \\
        --data-urlencode "ref=$$BUILDKITE_BRANCH" --data-urlencode "target_url=$$BUILDKITE_BUILD_URL" \\
        "https://forge.example.com/api/v4/projects/group%2Fproject/statuses/$$BUILDKITE_COMMIT"`,
  circleci: `      - run:
          name: Report to edgeforge
          command: |
            jwt=$(circleci run oidc get --claims '{"aud": "urn:edgeforge:trust:00000000000000000000"}')
            curl --fail-with-body --silent --show-error --retry 5 --header "Authorization: Bearer $jwt" \\
              --header "Idempotency-Key: $CIRCLE_WORKFLOW_JOB_ID" \\
              --data-urlencode state=success --data-urlencode "name=circleci/$CIRCLE_JOB" \\
              --data-urlencode "ref=$CIRCLE_BRANCH" --data-urlencode "target_url=$CIRCLE_BUILD_URL" \\
              "https://forge.example.com/api/v4/projects/group%2Fproject/statuses/$CIRCLE_SHA1"`,
};

/** What the workflow itself needs. */
const BEGINNINGS = {
  github: "permissions:\n  contents: read\n  id-token: write",
  forgejo: "enable-openid-connect: true",
};

const branch = (name) => `refs/heads/${name}`;

const DIGITS = "[0-9]+";

/**
 * `issuer`: by the host of an instance, or the id of an organization. `place`: what that is, none if there is one of each. `id`: the
 * claim that names a repository for good, where to find its value, and its pattern. `ref`: the claim of a branch.
 */
export const SYSTEMS = {
  github: {
    name: "GitHub Actions",
    issuer: (host) => (host ? `https://${host}/_services/token` : "https://token.actions.githubusercontent.com"),
    place: "Host of the Enterprise server, if it is one",
    id: ["repository_id", "A number: the id at https://api.github.com/repos/OWNER/NAME", DIGITS],
    ref: (name) => `ref=${branch(name)}`,
  },
  gitlab: {
    name: "GitLab CI",
    issuer: (host) => `https://${host || "gitlab.com"}`,
    place: "Host, if it is not gitlab.com",
    id: ["project_id", "The number on the start page of the project", DIGITS],
    ref: (name) => `ref_path=${branch(name)}`,
  },
  forgejo: {
    name: "Forgejo, Codeberg",
    issuer: (host) => `https://${host || "codeberg.org"}/api/actions`,
    place: "Host, if it is not codeberg.org",
    id: ["repository_id", "A number: the id at https://HOST/api/v1/repos/OWNER/NAME", DIGITS],
    ref: (name) => `ref=${branch(name)}`,
  },
  buildkite: {
    name: "Buildkite",
    issuer: () => "https://agent.buildkite.com",
    id: ["pipeline_id", "The id in the settings of the pipeline"],
    ref: (name) => `build_branch=${name}`,
  },
  circleci: {
    name: "CircleCI",
    issuer: (id) => `https://oidc.circleci.com/org/${id}`,
    place: "Id of the organization",
    id: ["oidc.circleci.com/project-id", "The id in the settings of the project"],
  },
};

/** A branch as people type it, also in the form of a claim. */
const plain = (name = "") => name.trim().replace(/^refs\/heads\//, "");
/** A host, also of an address. */
const hostOf = (text) => text.trim().replace(/^https?:\/\/|\/+$/g, "");

/** The trust that a form describes. */
export const trustOf = ({ system, name, place = "", id, ref = "" }) => {
  const of = SYSTEMS[system];
  const claims = [`${of.id[0]}=${id.trim()}`, ...(plain(ref) && of.ref ? [of.ref(plain(ref))] : [])];
  return { name, issuer: of.issuer(hostOf(place)), claims };
};

/** The system whose issuer and id a trust has; none, if somebody made it by the API for another one. */
const systemOf = ({ issuer, claims }) => {
  const places = ["", issuer.split("/")[2], issuer.split("/").at(-1)];
  const fits = (of) => places.some((place) => of.issuer(place) === issuer) && claims.some((claim) => claim.startsWith(`${of.id[0]}=`));
  return Object.keys(SYSTEMS).find((system) => fits(SYSTEMS[system]));
};

/** The condition of the step, where jobs of pull requests come in, too. */
const EACH = "!github.event.pull_request.head.repo.fork";

/**
 * What to copy into the workflow for a trust, as the API shows it; nothing if its system is none of these. `project`: its path.
 * @param {{ issuer: string, claims: string[], audience: string }} trust
 * @param {{ server: string, project: string }} given
 */
export const step = (trust, { server, project }) => {
  const system = systemOf(trust);
  if (!system) return null;
  const [, ref] = trust.claims.map((claim) => /^ref=(refs\/heads\/.+)$/.exec(claim)).find(Boolean) ?? [];
  const text = STEPS[system === "forgejo" ? "github" : system]
    .replace(EACH, ref ? `github.ref == '${ref.replaceAll("'", "''")}'` : EACH)
    .replaceAll("https://forge.example.com", server)
    .replaceAll("group%2Fproject", encodeURIComponent(project))
    .replaceAll("urn:edgeforge:trust:00000000000000000000", trust.audience);
  return { beginning: BEGINNINGS[system], text };
};
