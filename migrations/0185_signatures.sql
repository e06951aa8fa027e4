-- A document that people are asked to sign, who need no account. `presented` is what all of them are shown: made of the version that was
-- there when they were asked, and a prefix of what is sealed. One that has not ended holds its document still.
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
  -- By whose right the document is open to those who sign: the maker, their successor, or who went on with it since.
  requested_by uuid NOT NULL,
  -- Why it stands still until somebody who may goes on with it.
  suspended text CHECK (suspended IN ('right_lost', 'signer_left')),
  -- The workflow that asks is paused.
  paused boolean NOT NULL DEFAULT false,
  workflow_id uuid,
  step_id text,
  presented_storage_key text,
  presented_sha256 text,
  presented_size bigint,
  pages jsonb,
  manner text CHECK (manner IN ('append', 'separate')),
  findings text[] NOT NULL DEFAULT '{}',
  -- What the service does with it: the step that it is at, what went wrong there, since when and how often, and when that is tried again.
  step text,
  error text,
  step_since timestamptz,
  tries integer NOT NULL DEFAULT 0,
  next_retry_at timestamptz,
  sealed_version integer,
  sealed_sha256 text,
  seal_level text,
  sealed_at timestamptz,
  -- Who says when it was sealed: the service's clock, or an authority for timestamps.
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

-- Who is asked, in turns: those of the lowest first. The link is made when it is mailed, found by its hash, and sealed for reminders.
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
  -- The member of the team whose address it is: nobody else signs for them.
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
  -- Whom it was asked of before they passed it on.
  delegated_name text,
  delegated_email text,
  reminders integer NOT NULL DEFAULT 0,
  reminded_at timestamptz,
  remind_at timestamptz,
  -- How often their mail was sent again by hand within the day that began with `resent_since`, and when last.
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
  CONSTRAINT signature_signer_link_once UNIQUE (hash),
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

-- Places on the pages that somebody fills: points from the left and the top of the page as it is shown.
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

-- Where a version of a document is signed, and by whom, as the template says that it was made from.
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

-- What proves each act: a JWS by a key of the purpose `evidence`, which has the hash of the one before.
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

-- Somebody has given the code of their mail: their browser goes on without it for half an hour.
CREATE TABLE signature_session (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  signer_id uuid NOT NULL,
  hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT signature_session_hash_once UNIQUE (hash),
  CONSTRAINT signature_session_of FOREIGN KEY (team_id, signer_id) REFERENCES signature_signer (team_id, id) ON DELETE CASCADE
);
CREATE INDEX signature_session_of_signer ON signature_session (team_id, signer_id);
CREATE INDEX signature_session_over ON signature_session (expires_at);
CALL confine_to_team('signature_session', 'SELECT, INSERT, DELETE');
CALL open_to_system('signature_session', 'SELECT', 'DELETE');

-- Who is asked by this link?
CREATE FUNCTION signer_by_link(wanted bytea) RETURNS TABLE (team_id uuid, request_id uuid, signer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.team_id, s.request_id, s.id FROM signature_signer s JOIN team t ON t.team_id = s.team_id WHERE s.hash = wanted AND t.status = 'active'
$$;
REVOKE EXECUTE ON FUNCTION signer_by_link(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION signer_by_link(bytea) TO chancery_app;

-- Of which request is this the sealed file, byte for byte?
CREATE FUNCTION request_by_seal(wanted text) RETURNS TABLE (team_id uuid, request_id uuid, title text, sealed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.team_id, r.id, r.title, r.sealed_at FROM signature_request r JOIN team t ON t.team_id = r.team_id
  WHERE r.sealed_sha256 = wanted AND r.status = 'completed' AND t.status = 'active' LIMIT 1
$$;
REVOKE EXECUTE ON FUNCTION request_by_seal(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION request_by_seal(text) TO chancery_app;

-- What documents ask, which know no signatures: which of them people are asked to sign, or are being sealed.
-- Written so that PostgreSQL puts the query in the place of the call: it sets nothing and returns rows.
CREATE FUNCTION documents_being_signed(of_team uuid) RETURNS TABLE (document_id uuid, status text)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT r.document_id, r.status FROM signature_request r WHERE r.team_id = of_team AND r.status IN ('preparing', 'pending', 'sealing')
$$;
REVOKE EXECUTE ON FUNCTION documents_being_signed(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION documents_being_signed(uuid) TO chancery_app, chancery_system;
