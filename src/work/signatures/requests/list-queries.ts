import { jsonObject, jsonThing, pageStatement } from '../../../platform/database/json-page.ts';
import { isListed, listedRows, type ListSearchParams, matches } from '../../../platform/database/list-filters.ts';
import { afterMerged, mergedStatement } from '../../../platform/database/merged-page.ts';
import { bySort, type ChangeSort, changeSorts, isoText, type Cursor, sortedBy } from '../../../platform/database/sorted-page.ts';
import { undeliverableOf } from '../../../platform/mail/undeliverable-queries.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

const isEmailRejected = 's.sent_at IS NOT NULL AND mail_refused(s.id)';

const signer = jsonObject({
  id: 's.id',
  email: 's.email',
  undeliverable: undeliverableOf('s.email'),
  name: 's.name',
  order: 's.turn',
  role: 's.role',
  locale: 's.locale',
  status: 's.status',
  member: 'CASE WHEN s.account_id IS NOT NULL THEN true END',
  sentAt: isoText('s.sent_at'),
  viewedAt: isoText('s.viewed_at'),
  signedAt: isoText('s.signed_at'),
  declinedAt: isoText('s.declined_at'),
  declineReason: 's.decline_reason',
  lastEmailAt: isoText('greatest(s.sent_at, s.reminded_at, s.resent_at)'),
  nextReminderAt: isoText('s.remind_at'),
  delegatedFrom: `CASE WHEN s.delegated_email IS NOT NULL THEN ${jsonObject({ email: 's.delegated_email', name: 's.delegated_name' })} END`,
  mail: `CASE WHEN ${isEmailRejected} THEN 'failed' END`,
});
const ofRequest = 'team_id = $team AND request_id = r.id';
/** The documents of a request that are not deleted. */
const itsDocuments = `signature_request_document d WHERE d.${ofRequest} AND NOT document_is_gone($team, d.document_id)`;
/** Joins the first document of a request. Its members are also members of the request. */
const withFirst = `CROSS JOIN LATERAL (
  SELECT d.document_id, d.document_version, d.document_sha256, d.presented_sha256, d.sealed_version, d.sealed_sha256, d.seal_level, d.sealed_at,
    d.time_source, d.pages, d.findings
  FROM ${itsDocuments} ORDER BY d.place LIMIT 1) f`;

const document = {
  documentId: 'd.document_id',
  version: 'd.document_version',
  sha256: 'd.document_sha256',
  title: 'd.title',
  signedBy: 'd.signers',
  visibleTo: 'd.readers',
  error: 'd.error',
  presentedSha256: 'd.presented_sha256',
  sealedVersion: 'd.sealed_version',
  sealedSha256: 'd.sealed_sha256',
  sealLevel: 'd.seal_level',
  sealedAt: isoText('d.sealed_at'),
  timeSource: 'd.time_source',
};
const noFindings = (findings: string) => `nullif(to_json(${findings})::text, '[]')::json`;
const documents = (members: Record<string, string>) => `(SELECT json_agg(${jsonObject(members)} ORDER BY d.place) FROM ${itsDocuments})`;

const members = {
  id: 'r.id',
  documentId: 'f.document_id',
  matterId: 'CASE WHEN (SELECT has_matters($team)) THEN matter_of_document($team, f.document_id) END',
  documentVersion: 'f.document_version',
  documentSha256: 'f.document_sha256',
  documents: documents(document),
  title: 'r.title',
  status: 'r.status',
  step: 'r.step',
  error: 'r.error',
  nextRetryAt: isoText('r.next_retry_at'),
  suspended: 'r.suspended',
  paused: 'CASE WHEN r.paused THEN true END',
  message: 'r.message',
  consentAddition: 'r.consent_addition',
  locale: 'r.locale',
  requireCode: 'r.require_code',
  allowDelegation: 'r.allow_delegation',
  expiresAt: isoText('r.expires_at'),
  createdBy: 'r.created_by',
  createdByType: 'r.created_by_type',
  requestedBy: 'r.requested_by',
  workflowId: 'r.workflow_id',
  stepId: 'r.step_id',
  signers: `(SELECT json_agg(${signer} ORDER BY s.place) FROM signature_signer s WHERE s.team_id = $team AND s.request_id = r.id)`,
  presentedSha256: 'f.presented_sha256',
  sealedVersion: 'f.sealed_version',
  sealedSha256: 'f.sealed_sha256',
  sealLevel: 'f.seal_level',
  sealedAt: isoText('f.sealed_at'),
  timeSource: 'f.time_source',
  endReason: 'r.end_reason',
  completedAt: isoText('r.completed_at'),
  endedAt: isoText('r.ended_at'),
  createdAt: isoText('r.created_at'),
  updatedAt: isoText('r.updated_at'),
};

const field = jsonObject({
  id: 'f.id',
  signerId: 'f.signer_id',
  document: 'd.position',
  kind: 'f.kind',
  page: 'f.page',
  x: 'f.x',
  y: 'f.y',
  width: 'f.width',
  height: 'f.height',
  label: 'f.label',
  required: 'f.required',
});
const evidence = jsonObject({ number: 'e.number', signerId: 'e.signer_id', act: 'e.act', sha256: 'e.sha256', at: isoText('e.at') });

/** Returns one request in its API form, as JSON text. */
export const shownRequest = sqlStatement<{ team: string; id: string }, { body: string; version: number }>(
  `SELECT ${jsonThing({
    ...members,
    documents: documents({ ...document, pages: 'd.pages', findings: noFindings('d.findings') }),
    pages: 'f.pages',
    findings: noFindings('f.findings'),
    fields: `(SELECT coalesce(json_agg(${field} ORDER BY f.position), '[]') FROM signature_field f
      JOIN (SELECT d.place, row_number() OVER (ORDER BY d.place) - 1 AS position FROM ${itsDocuments}) d ON d.place = f.document
      WHERE f.${ofRequest})`,
    evidence: `(SELECT coalesce(json_agg(${evidence} ORDER BY e.number), '[]') FROM signature_evidence e WHERE e.${ofRequest})`,
  })} AS body, r.version FROM signature_request r ${withFirst} WHERE r.team_id = $team AND r.id = $id`,
);

/** `owner` is the caller. `user` is the caller if it is a person, because barriers apply to people. */
type RequestListParams = {
  team: string;
  owner: string;
  user: string | null;
  status: string[] | null;
  document: string | null;
  matter: string | null;
  requestedBy: string | null;
  stalled: boolean | null;
  since: string | null;
  limit: number;
} & ListSearchParams &
  Cursor;

/** For one document, the requests are found by the document index and sorted afterwards. */
const places = {
  ids: `${listedRows('signature_request')} r`,
  team: 'signature_request r',
  document: `(SELECT o.* FROM signature_request_document d JOIN signature_request o ON o.team_id = $team AND o.id = d.request_id
    WHERE d.team_id = $team AND d.document_id = $document OFFSET 0) r`,
};

/** The requests in a list before barriers apply: all requests of the team, or those that the caller owns. */
const views = { all: '$owner::uuid IS NOT NULL', own: 'r.owner_id = $owner::uuid' };

/** Whether the title or a signer of a request contains the search text. */
const isSearched = `(${matches('r.title')} OR EXISTS (SELECT FROM signature_signer s WHERE s.${ofRequest} AND ${matches('s.name', 's.email')}))`;

/** Whether a request continues only after a decision: it failed, it is suspended, or a current signer gets no email. */
const isStalled = `(r.status = 'failed' OR r.suspended IS NOT NULL AND r.status IN ('preparing', 'pending', 'sealing')
  OR r.status = 'pending' AND EXISTS (SELECT FROM signature_signer s WHERE s.${ofRequest} AND s.status IN ('pending', 'viewed')
    AND (${undeliverableOf('s.email')} IS NOT NULL OR ${isEmailRejected})))`;

function listBy(place: keyof typeof places, view: keyof typeof views, sort: ChangeSort) {
  const { order, after, key } = sortedBy(sort, 'r');
  return pageStatement<RequestListParams>(
    `WITH page AS (
       SELECT r.* FROM ${places[place]}
       WHERE r.team_id = $team AND ${after}
         AND ($status::text[] IS NULL OR r.status = ANY ($status))
         AND ($matter::uuid IS NULL OR EXISTS (SELECT FROM ${itsDocuments} AND matter_of_document($team, d.document_id) = $matter))
         AND ($requestedBy::uuid IS NULL OR r.requested_by = $requestedBy)
         AND ($stalled::boolean IS NULL OR ${isStalled} = $stalled)
         AND ($since::timestamptz IS NULL OR r.updated_at >= $since)
         AND ${isListed('r.id')} AND ${isSearched}
         AND ${views[view]} AND NOT signature_request_excludes($team, r.id, $user::uuid) AND NOT signature_request_is_gone($team, r.id)
       ORDER BY ${order} LIMIT $limit + 1
     )`,
    { from: `page r ${withFirst}`, item: jsonThing(members), order, key },
  );
}

const listsOf = (place: keyof typeof places) => ({
  all: bySort(changeSorts, (sort) => listBy(place, 'all', sort)),
  own: bySort(changeSorts, (sort) => listBy(place, 'own', sort)),
});
export const listRequests = { ids: listsOf('ids'), team: listsOf('team'), document: listsOf('document') };

/**
 * The requests that a member is asked to sign now, until they expire. No barrier excludes the member from a document that they would see.
 */
export const requestsToSign = mergedStatement<{ team: string; user: string; now: Date }>(
  `SELECT f.* FROM (
     SELECT r.id, r.title, r.created_at, r.expires_at AS due_at, r.workflow_id, false AS is_overdue
     FROM signature_signer s CROSS JOIN LATERAL (SELECT * FROM signature_request o WHERE o.team_id = $team AND o.id = s.request_id OFFSET 0) r
     WHERE s.team_id = $team AND s.account_id = $user AND s.status IN ('pending', 'viewed') AND s.role <> 'copy'
       AND r.status = 'pending' AND r.expires_at > $now AND r.suspended IS NULL AND NOT r.paused AND NOT signature_request_is_gone($team, r.id)
       AND NOT EXISTS (SELECT FROM signature_request_document d WHERE d.${ofRequest} AND (d.readers IS NULL OR s.id = ANY (d.readers))
         AND document_outsider($team, d.document_id, $user))
   ) f WHERE ${afterMerged}`,
  "'signature'",
  { id: 'f.id', title: 'f.title', dueAt: isoText('f.due_at'), createdAt: isoText('f.created_at'), workflowId: 'f.workflow_id' },
);
