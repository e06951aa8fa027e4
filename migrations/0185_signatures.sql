-- A request for signatures on a document. Signers need no account. `presented` is the file that all signers see. It is made from the requested
-- version and is a prefix of the sealed file. A live request blocks changes of its document.
CREATE TABLE signature_request (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  document_id uuid NOT NULL,
  document_version integer NOT NULL,
  document_sha256 text NOT NULL,
  title text NOT NULL,
  status text NOT NULL DEFAULT 'preparing'
    CHECK (status IN ('preparing', 'pending', 'sealing', 'completed', 'declined', 'expired', 'voided', 'failed')),
  message text,
  consent_addition text,
  locale text NOT NULL,
  require_code boolean NOT NULL,
  allow_delegation boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  created_by uuid NOT NULL,
  created_by_type text NOT NULL DEFAULT 'user',
  -- The user, client or agent that requested it, or the successor of a user who left the team.
  owner_id uuid NOT NULL,
  -- The actor whose rights give the signers access: the creator, the successor, or the member who resumed the request.
  requested_by uuid NOT NULL,
  -- Why the request is suspended. An authorized member can resume it.
  suspended text CHECK (suspended IN ('right_lost', 'signer_left')),
  -- The workflow of the request is paused.
  paused boolean NOT NULL DEFAULT false,
  workflow_id uuid,
  step_id text,
  presented_storage_key text,
  presented_sha256 text,
  presented_size bigint,
  pages jsonb,
  manner text CHECK (manner IN ('append', 'separate')),
  findings text[] NOT NULL DEFAULT '{}',
  -- The current step of the service, its last error, its start, the number of attempts and the time of the next one.
  step text,
  error text,
  step_since timestamptz,
  tries integer NOT NULL DEFAULT 0,
  next_retry_at timestamptz,
  sealed_version integer,
  sealed_sha256 text,
  seal_level text,
  sealed_at timestamptz,
  -- Source of the sealing time: the clock of the service or a timestamp authority.
  time_source text CHECK (time_source IN ('service', 'timestamp')),
  end_reason text,
  completed_at timestamptz,
  ended_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT signature_request_of FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX signature_request_one_live ON signature_request (team_id, document_id) WHERE status IN ('preparing', 'pending', 'sealing');
CREATE INDEX signature_request_of_document ON signature_request (team_id, document_id, id);
CREATE INDEX signature_request_owner ON signature_request (team_id, owner_id, id);
CREATE INDEX signature_request_by ON signature_request (team_id, requested_by, id);
CREATE INDEX signature_request_by_change ON signature_request (team_id, updated_at, id);
CREATE INDEX signature_request_by_status ON signature_request (team_id, status, id);
CREATE INDEX signature_request_expiring ON signature_request (expires_at) WHERE status = 'pending';
CREATE INDEX signature_request_file ON signature_request (presented_storage_key) WHERE presented_storage_key IS NOT NULL;
CREATE INDEX signature_request_sealed ON signature_request (sealed_sha256) WHERE sealed_sha256 IS NOT NULL;
CALL confine_to_team('signature_request', 'SELECT, INSERT, UPDATE');
CALL open_to_system('signature_request', 'SELECT', 'UPDATE', 'DELETE');
CALL count_rows('signature_request', 'signatureRequests');
CREATE POLICY lookup ON signature_request FOR SELECT TO chancery_owner USING (true);

-- The signers, in turns: the lowest turn signs first. The link is created with its email, found by its hash, and stored encrypted for reminders.
CREATE TABLE signature_signer (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  request_id uuid NOT NULL,
  place integer NOT NULL,
  turn integer NOT NULL,
  role text NOT NULL CHECK (role IN ('signer', 'approver', 'copy')),
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  -- The team member with this address. Only this account can sign.
  account_id uuid,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'pending', 'viewed', 'signed', 'declined')),
  hash bytea,
  sealed bytea,
  sent_at timestamptz,
  viewed_at timestamptz,
  signed_at timestamptz,
  declined_at timestamptz,
  decline_reason text,
  typed_name text,
  mark_kind text CHECK (mark_kind IN ('typed', 'drawn', 'confirmed')),
  mark_text text,
  mark_png bytea,
  known text CHECK (known IN ('link', 'code', 'account')),
  filled jsonb,
  -- The original signer, before a delegation.
  delegated_name text,
  delegated_email text,
  reminders integer NOT NULL DEFAULT 0,
  reminded_at timestamptz,
  remind_at timestamptz,
  -- Number of manual resends within the day that began with `resent_since`, and the last one.
  resent integer NOT NULL DEFAULT 0,
  resent_at timestamptz,
  resent_since timestamptz,
  code_hash bytea,
  code_expires_at timestamptz,
  code_tries integer NOT NULL DEFAULT 0,
  codes_sent integer NOT NULL DEFAULT 0,
  codes_since timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT signature_signer_once UNIQUE (team_id, request_id, email_key),
  CONSTRAINT signature_signer_link_once UNIQUE (team_id, hash),
  CONSTRAINT signature_signer_has_link CHECK ((hash IS NULL) = (sealed IS NULL)),
  CONSTRAINT signature_signer_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request (team_id, id) ON DELETE CASCADE
);
CREATE INDEX signature_signer_in_order ON signature_signer (team_id, request_id, place);
CREATE INDEX signature_signer_member ON signature_signer (team_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX signature_signer_address ON signature_signer (email_key);
CREATE INDEX signature_signer_reminding ON signature_signer (remind_at) WHERE remind_at IS NOT NULL;
CALL confine_to_team('signature_signer', 'SELECT, INSERT, UPDATE');
CALL open_to_system('signature_signer', 'SELECT', 'DELETE');
CALL let_system_reseal('signature_signer', 'sealed');
CREATE POLICY lookup ON signature_signer FOR SELECT TO chancery_owner USING (true);

-- Fields that signers fill, in points from the left and the top of the displayed page.
CREATE TABLE signature_field (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  id text NOT NULL,
  signer_id uuid NOT NULL,
  position integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('signature', 'initials', 'name', 'date', 'text', 'checkbox')),
  page integer NOT NULL,
  x double precision NOT NULL,
  y double precision NOT NULL,
  width double precision NOT NULL,
  height double precision NOT NULL,
  label text,
  required boolean NOT NULL,
  PRIMARY KEY (team_id, request_id, id),
  CONSTRAINT signature_field_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('signature_field', 'SELECT, INSERT');
CALL open_to_system('signature_field', 'SELECT', 'DELETE');

-- The field positions of a version of a document, from its template, with a signer name each.
CREATE TABLE signature_place (
  team_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version integer NOT NULL,
  places jsonb NOT NULL,
  PRIMARY KEY (team_id, document_id, version),
  CONSTRAINT signature_place_is_document FOREIGN KEY (team_id, document_id) REFERENCES document (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('signature_place', 'SELECT, INSERT');
CALL open_to_system('signature_place', 'SELECT', 'DELETE');

-- The evidence of each action: a JWS signed with a key of the purpose `evidence`. Each one contains the hash of the previous one.
CREATE TABLE signature_evidence (
  team_id uuid NOT NULL,
  request_id uuid NOT NULL,
  number integer NOT NULL,
  signer_id uuid NOT NULL,
  act text NOT NULL CHECK (act IN ('viewed', 'signed', 'declined', 'delegated', 'corrected')),
  jws text NOT NULL,
  sha256 text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (team_id, request_id, number),
  CONSTRAINT signature_evidence_of FOREIGN KEY (team_id, request_id) REFERENCES signature_request (team_id, id) ON DELETE CASCADE
);
CALL confine_to_team('signature_evidence', 'SELECT, INSERT');
CALL open_to_system('signature_evidence', 'SELECT', 'DELETE');

-- Sessions of signers who entered the emailed code. A session identifies the browser for 30 minutes.
CREATE TABLE signature_session (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  signer_id uuid NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT signature_session_hash_once UNIQUE (team_id, hash),
  CONSTRAINT signature_session_of FOREIGN KEY (team_id, signer_id) REFERENCES signature_signer (team_id, id) ON DELETE CASCADE
);
CREATE INDEX signature_session_of_signer ON signature_session (team_id, signer_id);
CREATE INDEX signature_session_over ON signature_session (expires_at);
CALL confine_to_team('signature_session', 'SELECT, INSERT, DELETE');
CALL open_to_system('signature_session', 'SELECT', 'DELETE');

-- Returns the signer of a link.
CREATE FUNCTION signer_by_link(of_team uuid, wanted bytea) RETURNS TABLE (request_id uuid, signer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.request_id, s.id FROM signature_signer s JOIN team t ON t.team_id = s.team_id
  WHERE s.team_id = of_team AND s.hash = wanted AND t.status = 'active'
$$;
REVOKE EXECUTE ON FUNCTION signer_by_link(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION signer_by_link(uuid, bytea) TO chancery_app;

-- Returns the request whose sealed file has this SHA-256.
CREATE FUNCTION request_by_seal(wanted text) RETURNS TABLE (team_id uuid, request_id uuid, title text, sealed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.team_id, r.id, r.title, r.sealed_at FROM signature_request r JOIN team t ON t.team_id = r.team_id
  WHERE r.sealed_sha256 = wanted AND r.status = 'completed' AND t.status = 'active' LIMIT 1
$$;
REVOKE EXECUTE ON FUNCTION request_by_seal(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION request_by_seal(text) TO chancery_app;

-- Used by the documents domain, which does not know signatures: returns the documents with a live request. PostgreSQL can inline the function,
-- because it has no SET clause and returns rows.
CREATE FUNCTION documents_being_signed(of_team uuid) RETURNS TABLE (document_id uuid, status text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT r.document_id, r.status FROM signature_request r WHERE r.team_id = of_team AND r.status IN ('preparing', 'pending', 'sealing')
$$;
REVOKE EXECUTE ON FUNCTION documents_being_signed(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION documents_being_signed(uuid) TO chancery_app, chancery_system;
