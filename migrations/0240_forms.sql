-- A form, a booking form or a form of a registry for people without an account. `draft` is the edited state; visitors see the last
-- published version. A suspended interface keeps its status for when it is resumed.
CREATE TABLE interface (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('form', 'scheduling', 'registry')),
  -- The title in the default language of the draft, for lists and mails.
  title text NOT NULL,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'closed')),
  draft jsonb NOT NULL,
  -- The revision of the draft. A publication names it.
  revision integer NOT NULL DEFAULT 1,
  published_version integer,
  owner_id uuid NOT NULL,
  -- The folder of the submissions: that of the published version, or of the draft before the first publication.
  folder_id uuid,
  -- The days after which answers are erased, from the published version.
  retain_days integer,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL DEFAULT 'user',
  suspended_at timestamptz,
  suspended_reason text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- A deleted interface stays while other rows refer to it, without its draft, versions and links.
  deleted_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT interface_owner_exists FOREIGN KEY (team_id, owner_id) REFERENCES account (team_id, id),
  CONSTRAINT interface_folder_exists FOREIGN KEY (team_id, folder_id) REFERENCES folder (team_id, id),
  CONSTRAINT interface_suspended_for_a_reason CHECK ((suspended_at IS NULL) = (suspended_reason IS NULL))
);
CREATE INDEX interface_of_owner ON interface (team_id, owner_id);
CREATE INDEX interface_in_folder ON interface (team_id, folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX interface_retaining ON interface (team_id, id) WHERE retain_days IS NOT NULL;
CREATE INDEX interface_deleted ON interface (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX interface_by_change ON interface (team_id, updated_at, id);
CALL confine_to_team('interface', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('interface', 'SELECT', 'UPDATE', 'DELETE');
CALL count_rows('interface', 'interfaces');
CALL access_contained_type('interface');

-- A folder with answers cannot be deleted, because its information barrier protects them. Emptying the bin skips it.
CREATE FUNCTION keep_folder_of_answers() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM interface i WHERE i.team_id = OLD.team_id AND i.folder_id = OLD.id) THEN
    RETURN NULL;
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER keep_folder_of_answers BEFORE DELETE ON folder FOR EACH ROW EXECUTE FUNCTION keep_folder_of_answers();

-- A published version. Only `uses_by` can change, when that member leaves the team. A submission refers to its version.
CREATE TABLE interface_version (
  team_id uuid NOT NULL,
  interface_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  definition jsonb NOT NULL,
  -- The published revision of the draft.
  revision integer NOT NULL,
  -- The member whose rights apply to the effects of submissions: notifications, folders, records and workflows. It is the member who
  -- last set them.
  uses_by uuid NOT NULL,
  -- The hash of the steps of the workflow template that submissions start, in the state that `uses_by` approved.
  template_hash text,
  -- The registries that it shows and writes, with their fields and the member whose rights apply.
  bindings jsonb NOT NULL DEFAULT '[]',
  -- Whether pages with an older version can submit for a day (`later`) or not at all (`now`).
  supersede text NOT NULL CHECK (supersede IN ('later', 'now')),
  published_by uuid NOT NULL,
  published_by_type text NOT NULL DEFAULT 'user',
  published_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, interface_id, number),
  CONSTRAINT interface_version_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('interface_version', 'SELECT, INSERT, UPDATE (uses_by), DELETE');
CALL open_to_system('interface_version', 'SELECT', 'DELETE');

-- Links to an interface, each with a token: the hash for lookups, and the encrypted token to show it again. A channel has one current
-- link. A retired link gives its visitors access to their submissions for a day. A link of the channel `task` belongs to the assignee
-- of a workflow task. It works while the task is open and assigned to that person.
CREATE TABLE interface_link (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  channel text NOT NULL CHECK (channel IN ('public', 'api', 'preview', 'task')),
  task_id uuid,
  person_id uuid,
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  retired_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT interface_link_hash_once UNIQUE (team_id, hash),
  CONSTRAINT interface_link_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE,
  CONSTRAINT interface_link_of_task CHECK ((channel = 'task') = (task_id IS NOT NULL) AND (channel IN ('task', 'preview')) = (person_id IS NOT NULL))
);
CREATE UNIQUE INDEX interface_link_one_current ON interface_link (team_id, interface_id, channel) WHERE retired_at IS NULL AND channel <> 'task';
CREATE UNIQUE INDEX interface_link_one_of_task ON interface_link (team_id, task_id) WHERE retired_at IS NULL AND channel = 'task';
CREATE INDEX interface_link_over ON interface_link ((coalesce(retired_at, expires_at))) WHERE coalesce(retired_at, expires_at) IS NOT NULL;
CALL confine_to_team('interface_link', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('interface_link', 'SELECT', 'DELETE');
CALL let_system_reseal('interface_link', 'sealed');
CREATE POLICY lookup ON interface_link FOR SELECT TO chancery_owner USING (true);

-- Returns the interface of a link. `retired`: the link was replaced less than a day ago.
CREATE FUNCTION interface_by_link(of_team uuid, wanted bytea)
RETURNS TABLE (interface_id uuid, link_id uuid, channel text, retired boolean, task_id uuid, person_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT l.interface_id, l.id, l.channel, l.retired_at IS NOT NULL, l.task_id, l.person_id
  FROM interface_link l JOIN team t ON t.team_id = l.team_id
  WHERE l.team_id = of_team AND l.hash = wanted AND t.status = 'active' AND (l.expires_at IS NULL OR l.expires_at > now())
    AND (l.retired_at IS NULL OR l.retired_at > now() - interval '1 day')
$$;
REVOKE EXECUTE ON FUNCTION interface_by_link(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION interface_by_link(uuid, bytea) TO chancery_app;

CALL access_resource_type('interface', 'form');

-- The session of a visitor who uploads or submits through a link. It gives access to the results for a day.
CREATE TABLE submission_session (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  link_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT submission_session_hash_once UNIQUE (team_id, hash),
  CONSTRAINT submission_session_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE
);
CREATE INDEX submission_session_of_interface ON submission_session (team_id, interface_id);
CREATE INDEX submission_session_by_age ON submission_session (expires_at);
CALL confine_to_team('submission_session', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('submission_session', 'SELECT', 'DELETE');

-- A used proof of work, kept until it would expire.
CREATE TABLE submission_proof (
  team_id uuid NOT NULL REFERENCES team,
  id bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
CREATE INDEX submission_proof_by_age ON submission_proof (expires_at);
CALL confine_to_team('submission_proof', 'SELECT, INSERT');
CALL open_to_system('submission_proof', 'SELECT', 'DELETE');

-- The answers of a visitor. `received` counts; `spam` was caught by the honeypot, and `held` waits for a mailed link, so neither has
-- effects. `failed` means that an effect failed. An erased row stays without its content, so that counts and references stay valid.
CREATE TABLE submission (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  version integer NOT NULL,
  channel text NOT NULL CHECK (channel IN ('public', 'api')),
  status text NOT NULL CHECK (status IN ('received', 'spam', 'held', 'failed')),
  -- NULL after an erasure.
  data jsonb,
  -- Copies of the records in the answers, by record id.
  records jsonb,
  locale text,
  session_id uuid,
  -- The workflow task whose link was used.
  task_id uuid,
  -- The hash of the mailed link of an unconfirmed submission, and the time when it is deleted without confirmation.
  confirm_hash bytea,
  confirm_until timestamptz,
  row_version integer NOT NULL DEFAULT 1,
  -- Set when a running workflow postponed the erasure. The erasure is tried again at this time.
  erase_after timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  erased_at timestamptz,
  erased_by uuid,
  erased_by_type text,
  erased_for text CHECK (erased_for IN ('request', 'retention', 'deletion')),
  -- The status in lists: the state, or `erased`.
  shelf text NOT NULL GENERATED ALWAYS AS (CASE WHEN erased_at IS NULL THEN status ELSE 'erased' END) STORED,
  PRIMARY KEY (team_id, id),
  CONSTRAINT submission_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id),
  CONSTRAINT submission_waits CHECK ((status = 'held') = (confirm_until IS NOT NULL) AND (status = 'held') = (confirm_hash IS NOT NULL)),
  CONSTRAINT submission_is_a_tombstone CHECK ((erased_at IS NULL) = (erased_for IS NULL) AND (erased_at IS NULL OR (data IS NULL AND records IS NULL)))
) WITH (autovacuum_analyze_scale_factor = 0.02);
-- For lists and exports by age.
CREATE INDEX submission_of_interface ON submission (team_id, interface_id, shelf, created_at, id);
CREATE INDEX submission_of_session ON submission (team_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX submission_unconfirmed ON submission (confirm_until) WHERE status = 'held';
CALL confine_to_team('submission', 'SELECT, INSERT, UPDATE');
CALL open_to_system('submission', 'SELECT', 'UPDATE', 'DELETE');
CALL count_rows('submission', 'submissions');

CREATE INDEX submission_of_task ON submission (team_id, task_id) WHERE task_id IS NOT NULL;

-- Returns the answers for workflow tasks, because workflows do not access the tables of forms. Written so that PostgreSQL can inline
-- it: it has no SET clause and returns rows.
CREATE FUNCTION answers_of_tasks(of_team uuid, tasks uuid[]) RETURNS TABLE (task_id uuid, data jsonb)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT s.task_id, s.data FROM submission s
  WHERE s.team_id = of_team AND s.task_id = ANY (tasks) AND s.status = 'received' AND s.data IS NOT NULL ORDER BY s.created_at, s.id
$$;
REVOKE EXECUTE ON FUNCTION answers_of_tasks(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION answers_of_tasks(uuid, uuid[]) TO chancery_app, chancery_system;

-- An effect of a submission. The row is created with the submission, and the effect runs in that transaction or in a job.
CREATE TABLE submission_effect (
  team_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('document', 'pdf', 'record', 'workflow', 'booking')),
  status text NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
  -- The created document, record, workflow or booking.
  result_id uuid,
  attempts integer NOT NULL DEFAULT 0,
  -- The problem code and detail of a failure.
  code text,
  detail text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, submission_id, kind),
  CONSTRAINT submission_effect_of FOREIGN KEY (team_id, submission_id) REFERENCES submission (team_id, id) ON DELETE CASCADE
);
CREATE INDEX submission_effect_result ON submission_effect (team_id, result_id) WHERE result_id IS NOT NULL;
CALL confine_to_team('submission_effect', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('submission_effect', 'SELECT', 'DELETE');

-- An uploaded file of a session, until a submission refers to it or it expires.
CREATE TABLE submission_upload (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  -- NULL for an upload by a program.
  session_id uuid,
  submission_id uuid,
  storage_key text NOT NULL,
  -- The cleaned file name. Its extension matches the type that was detected from the content.
  name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL,
  -- NULL once a submission refers to it.
  expires_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT submission_upload_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id),
  CONSTRAINT submission_upload_with FOREIGN KEY (team_id, submission_id) REFERENCES submission (team_id, id),
  CONSTRAINT submission_upload_stays_or_goes CHECK ((submission_id IS NULL) = (expires_at IS NOT NULL))
);
CREATE INDEX submission_upload_of_submission ON submission_upload (team_id, submission_id) WHERE submission_id IS NOT NULL;
CREATE INDEX submission_upload_of_session ON submission_upload (team_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX submission_upload_of_interface ON submission_upload (team_id, interface_id);
CREATE INDEX submission_upload_waiting ON submission_upload (team_id, interface_id) INCLUDE (size) WHERE submission_id IS NULL;
CREATE INDEX submission_upload_file ON submission_upload (storage_key);
CREATE INDEX submission_upload_over ON submission_upload (expires_at) WHERE expires_at IS NOT NULL;
CALL confine_to_team('submission_upload', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('submission_upload', 'SELECT', 'DELETE');
CALL count_rows('submission_upload', 'storage', 'size');

-- Saved answers that a visitor resumes in the same session, or on another device through a mailed link, which moves them to a new
-- session. The team cannot see them.
CREATE TABLE submission_draft (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  session_id uuid,
  hash bytea NOT NULL,
  version integer NOT NULL,
  data jsonb NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  -- How often its link was mailed.
  mails integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT submission_draft_hash_once UNIQUE (team_id, hash),
  CONSTRAINT submission_draft_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX submission_draft_of_session ON submission_draft (team_id, session_id);
CREATE INDEX submission_draft_of_interface ON submission_draft (team_id, interface_id);
CREATE INDEX submission_draft_over ON submission_draft (expires_at);
CALL confine_to_team('submission_draft', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('submission_draft', 'SELECT', 'DELETE');

-- The number of submissions, unaffected by erasures: the total, which `maxSubmissions` limits, and by day (UTC) and channel.
CREATE TABLE interface_count (
  team_id uuid NOT NULL,
  interface_id uuid NOT NULL,
  taken bigint NOT NULL DEFAULT 0,
  -- The number of submissions included in notifications, the time of the last notification, and the time of the last failure mail to
  -- the owner.
  notified bigint NOT NULL DEFAULT 0,
  notified_at timestamptz,
  failures_notified_at timestamptz,
  PRIMARY KEY (team_id, interface_id),
  CONSTRAINT interface_count_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('interface_count', 'SELECT, INSERT, UPDATE');
CALL open_to_system('interface_count', 'SELECT', 'DELETE');

CREATE TABLE interface_day (
  team_id uuid NOT NULL,
  interface_id uuid NOT NULL,
  day date NOT NULL,
  channel text NOT NULL CHECK (channel IN ('public', 'api')),
  received bigint NOT NULL DEFAULT 0,
  spam bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, interface_id, day, channel),
  CONSTRAINT interface_day_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('interface_day', 'SELECT, INSERT, UPDATE');
CALL open_to_system('interface_day', 'SELECT', 'DELETE');

-- The branding of the public pages of a team, if it differs from the default.
CREATE TABLE team_brand (
  team_id uuid PRIMARY KEY REFERENCES team,
  name text,
  colour text CHECK (colour ~ '^#[0-9a-f]{6}$'),
  -- A PNG or JPEG, addressed by the hash of its content.
  logo bytea CHECK (octet_length(logo) <= 262144),
  logo_type text,
  logo_hash text,
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL,
  CONSTRAINT team_brand_logo_is_whole CHECK (num_nulls(logo, logo_type, logo_hash) IN (0, 3))
);
CALL confine_to_team('team_brand', 'SELECT, INSERT, UPDATE');
CALL open_to_system('team_brand', 'SELECT', 'DELETE');

-- An export of submissions. A job writes the file, which is kept for a day.
CREATE TABLE submission_export (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  format text NOT NULL CHECK (format IN ('csv', 'json')),
  -- The format of a CSV file: encoding, separators and date order.
  dialect jsonb NOT NULL DEFAULT '{}',
  -- The filters: statuses and times.
  filters jsonb NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'done', 'failed')),
  -- The number of submissions in the file.
  submissions bigint,
  code text,
  detail text,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT submission_export_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE,
  CONSTRAINT submission_export_ends CHECK ((status = 'waiting') = (ended_at IS NULL) AND (status = 'done') = (submissions IS NOT NULL))
);
CREATE INDEX submission_export_of_interface ON submission_export (team_id, interface_id, id);
CREATE INDEX submission_export_waiting ON submission_export (team_id) WHERE status = 'waiting';
CREATE INDEX submission_export_over ON submission_export (ended_at) WHERE ended_at IS NOT NULL;
CALL confine_to_team('submission_export', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('submission_export', 'SELECT', 'UPDATE', 'DELETE');

CREATE TABLE submission_export_file (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  storage_key text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT submission_export_file_of FOREIGN KEY (team_id, id) REFERENCES submission_export (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX submission_export_file_key ON submission_export_file (storage_key);
CALL confine_to_team('submission_export_file', 'SELECT, INSERT, DELETE');
CALL open_to_system('submission_export_file', 'SELECT', 'DELETE');
CALL count_rows('submission_export_file', 'storage', 'size');

-- A report of a visitor to staff about a page. The team cannot see it, and the reporter is not stored. Staff delete it when they act
-- on it.
CREATE TABLE interface_report (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  interface_id uuid NOT NULL,
  reason text NOT NULL CHECK (reason IN ('credentials', 'impersonation', 'illegal', 'spam', 'other')),
  text text NOT NULL CHECK (char_length(text) <= 2000),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT interface_report_of FOREIGN KEY (team_id, interface_id) REFERENCES interface (team_id, id) ON DELETE CASCADE
);
CREATE INDEX interface_report_about ON interface_report (team_id, interface_id);
CREATE INDEX interface_report_newest ON interface_report (created_at, id);
CALL confine_to_team('interface_report', 'SELECT, INSERT');
CALL open_to_system('interface_report', 'SELECT', 'DELETE');

-- Returns whether a submission was erased whose answers may have been read at a time. `erased_at` is the start of the erasure. The
-- erasure can wait for locks, and readers see the answers until it commits.
CREATE FUNCTION submission_erased_since(team uuid, submission uuid, read_at timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM submission s WHERE s.team_id = team AND s.id = submission AND s.erased_at + interval '1 minute' > read_at);
END $$;
REVOKE EXECUTE ON FUNCTION submission_erased_since(uuid, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION submission_erased_since(uuid, uuid, timestamptz) TO chancery_app, chancery_system;
