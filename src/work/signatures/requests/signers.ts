import { randomUUIDv7 } from 'node:crypto';
import { parseEmail } from '#accounts';
import { versionOfDocument } from '#documents';
import { localeOfTeam, memberContacts, membersByAddress } from '#teams';
import { didYouMean } from '../../../platform/http/known-members.ts';
import { type FieldError, fieldError, Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { cleanName, isPlainText, refuseLink } from '../../../platform/text.ts';
import { signerLocale } from './signer-locale.ts';
import { type Audience, isSignedBy, seenBy } from './documents.ts';
import { isOutside } from './permission.ts';
import { requestProblems } from './problems.ts';
import { type NewDocument, type NewSigner, type RequestRow, touchRequest } from './queries.ts';
import * as signerQueries from './signer-queries.ts';
import { fieldPlacesOf } from './field-places.ts';
import { type DocumentBody, type FieldBody, type FieldPlace, most, type SignerBody } from './schemas.ts';

/** A field in the form in which it is inserted. */
export type NewField = Omit<FieldBody, 'id' | 'document' | 'label' | 'required'> & {
  id: string;
  signer_id: string;
  position: number;
  document: number;
  label: string | null;
  required: boolean;
};
export type NewSigners = { signers: NewSigner[]; documents: NewDocument[]; fields: NewField[]; outside: boolean };
/** Defaults for the languages of signers: of the request, and of the submission that started the workflow. */
type Locales = { request: string | undefined; submission: string | undefined };

const invalid = (errors: FieldError[]) =>
  requestProblems.signer_invalid(`A signer is invalid: ${errors.map(({ reason }) => reason).join('; ')}.`, { errors });

type Person = { email: string; name: string };

/** Returns why a person cannot be a signer, or undefined if the name and the address are valid. */
function personError({ email, name }: Person): { member: keyof Person; reason: string; rule: string } | undefined {
  if (!parseEmail(email)) return { member: 'email', reason: 'the email address is invalid', rule: 'email' };
  try {
    refuseLink(cleanName(name), 'name');
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = 'the name must have 1 to 255 printable characters, without slashes and web addresses';
    return { member: 'name', reason, rule: 'name' };
  }
}

/** Returns the normalized name and address of a person. Throws the 422 that `refuse` creates. */
export function cleanPerson(
  given: Person,
  at: string,
  refuse: (errors: FieldError[]) => Problem,
): { email: string; email_key: string; name: string } {
  const wrong = personError(given);
  const address = parseEmail(given.email);
  if (wrong || !address) throw refuse(wrong ? [fieldError(`${at}/${wrong.member}`, wrong.reason, wrong.rule)] : []);
  return { email: address.address, email_key: address.key, name: cleanName(given.name) };
}

type Replaced = { request: string; id: string; /** The signer who delegates the request. */ delegatedBy?: Person };

/** Stores another person in place of a signer. The previous sessions and links become invalid. */
export function replaceSigner(
  { db, team, now }: Scope,
  { request, id, delegatedBy }: Replaced,
  { email, email_key: key, name, account }: ReturnType<typeof cleanPerson> & { account: string | null },
): void {
  const delegated = { delegatedName: delegatedBy?.name ?? null, delegatedEmail: delegatedBy?.email ?? null };
  db.send(signerQueries.dropSessions, { team, signer: id });
  db.send(signerQueries.replaceSigner, { team, id, email, key, name, account, ...delegated });
  db.send(touchRequest, { team, id: request, at: now });
}

/**
 * Returns why these people cannot be the signers of one request, with the path of the invalid member. Does not check whether they created the
 * document.
 */
export function signersError(
  given: readonly (Person & { role?: string | undefined })[],
): { at: string; reason: string; rule: string } | undefined {
  const keys = new Set<string | undefined>();
  for (const [at, person] of given.entries()) {
    const wrong = personError(person);
    if (wrong) return { at: `${at}/${wrong.member}`, reason: wrong.reason, rule: wrong.rule };
    const key = parseEmail(person.email)?.key;
    if (keys.has(key)) return { at: `${at}/email`, reason: 'is also the address of another signer', rule: 'unique' };
    keys.add(key);
  }
  if (given.length > 0 && given.every(({ role }) => role === 'copy'))
    return { at: '0/role', reason: 'at least one signer or approver is required', rule: 'contains' };
  return undefined;
}

/** A document to sign, as the request names it. */
export type DocumentToSign = { id: string; version: number; sha256: string; title: string; barred: boolean; given: DocumentBody };

/**
 * Returns the signers and documents as rows, each address once and members with their accounts. Throws 422 `signer_invalid`, `duplicate_signer` or
 * `creator_cannot_approve`.
 */
export async function resolveSigners(
  scope: Scope,
  documents: readonly DocumentToSign[],
  given: readonly SignerBody[],
  locales: Locales,
): Promise<NewSigners> {
  const people = (await placed(scope, documents, given)).map((one, at) => ({ ...one, ...cleanPerson(one, `/signers/${at}`, invalid), at }));
  for (const { email_key: key, at } of people)
    if (people.findIndex((other) => other.email_key === key) !== at)
      throw requestProblems.duplicate_signer('Two signers have the same address. Use each address once in a request.', {
        errors: [fieldError(`/signers/${at}/email`, 'is also the address of another signer', 'unique')],
      });
  if (!people.some(({ role }) => role !== 'copy'))
    throw invalid([fieldError('/signers', 'at least one signer or approver is required', 'contains')]);
  const members = await scope.db.all(membersByAddress, { team: scope.team, keys: people.map(({ email_key: key }) => key) });
  const memberOf = (key: string) => members.find((member) => member.email_key === key)?.id ?? null;
  const localeOf = await localesOf(scope, members, locales);
  const signers = people.map(({ email, email_key, name, order = 1, role = 'signer', locale, at }): NewSigner => ({
    id: randomUUIDv7(),
    place: at,
    turn: order,
    role,
    email,
    email_key,
    name,
    account_id: memberOf(email_key),
    locale: localeOf(locale, memberOf(email_key)),
  }));
  const rows = documents.map((document, at) => documentRow(document, at, signers));
  refuseIdle(rows, signers);
  const request = { documents: rows.map((row) => ({ ...row, id: row.document_id, version: row.document_version, ...audienceOf(row) })) };
  await refuseCreators(scope, request, signers);
  if (documents.some(({ barred }) => barred)) await refuseOutsideBarrier(scope, request.documents, signers);
  return {
    signers,
    documents: rows,
    fields: fieldsOf(people, signers, rows),
    outside: signers.some(({ account_id: account }) => account === null),
  };
}

/** Returns the language of a signer: the given one, that of the request, of the submission, of the signer’s account, or of the team. */
async function localesOf({ db, team }: Scope, members: readonly { id: string }[], { request, submission }: Locales) {
  const contacts = await db.all(memberContacts, { team, ids: members.map(({ id }) => id) });
  const teamLocale = (await db.first(localeOfTeam, { team }))?.locale;
  return (given: string | undefined, account: string | null): string =>
    signerLocale(given ?? request ?? submission ?? contacts.find(({ id }) => id === account)?.locale ?? teamLocale);
}

const audienceOf = ({ signers: signedBy, readers: visibleTo }: Pick<NewDocument, 'signers' | 'readers'>): Audience => ({
  signedBy,
  visibleTo,
});

/** Returns the row of a document. Throws 422 `signer_invalid` for positions that name no signer. */
function documentRow({ id, version, sha256, title, given }: DocumentToSign, place: number, signers: readonly NewSigner[]): NewDocument {
  const ids = (member: 'signedBy' | 'visibleTo') =>
    given[member]?.map((at, n) => {
      const pointer = `/documents/${place}/${member}/${n}`;
      const signer = signers[at];
      if (!signer) throw invalid([fieldError(pointer, 'must be a position in `signers`', 'range')]);
      if (member === 'signedBy' && signer.role === 'copy') throw invalid([fieldError(pointer, 'a copy recipient does not sign', 'role')]);
      if (member === 'signedBy' && given.visibleTo?.includes(at) === false)
        throw invalid([fieldError(pointer, 'must also be in `visibleTo`: signers see their documents', 'visible')]);
      return signer.id;
    }) ?? null;
  return {
    place,
    document_id: id,
    document_version: version,
    document_sha256: sha256,
    title,
    signers: ids('signedBy'),
    readers: ids('visibleTo'),
  };
}

/** Requires that each document has a signer, and each signer a document. Throws 422 `signer_invalid`. */
function refuseIdle(documents: readonly NewDocument[], signers: readonly NewSigner[]): void {
  for (const document of documents)
    if (!signers.some((signer) => isSignedBy(audienceOf(document), signer)))
      throw invalid([fieldError(`/documents/${document.place}`, 'has no signer', 'contains')]);
  for (const signer of signers) {
    const { role, place } = signer;
    const own = documents
      .map(audienceOf)
      .filter((one) => (role === 'copy' ? seenBy([one], signer.id).length > 0 : isSignedBy(one, signer)));
    if (own.length === 0)
      throw invalid([
        fieldError(`/signers/${place}`, role === 'copy' ? 'sees no document' : 'signs no document: use the role `copy`', 'contains'),
      ]);
  }
}

type CreatedDocuments = Partial<Pick<RequestRow, 'created_by' | 'requested_by'>> & {
  documents: readonly Pick<RequestRow['documents'][number], 'id' | 'version' | 'signedBy' | 'visibleTo'>[];
};

/** Returns the creators of the documents that a signer signs: the requester and the uploaders of the versions. */
export async function creatorsFor(
  scope: Scope,
  request: CreatedDocuments,
  signer: { id: string; role: string },
): Promise<ReadonlySet<string | undefined>> {
  const actor = scope.actor.type === 'system' ? undefined : scope.actor.id;
  const creators = new Set([request.created_by ?? actor, request.requested_by ?? actor]);
  for (const document of request.documents)
    if (isSignedBy(document, signer)) creators.add((await versionOfDocument(scope, document.id, document.version))?.uploadedBy);
  return creators;
}

/** Rejects the requester and the uploader of a version as its approvers, because they already agreed. Throws 422 `creator_cannot_approve`. */
export async function refuseCreators(
  scope: Scope,
  request: CreatedDocuments,
  signers: readonly Pick<NewSigner, 'id' | 'role' | 'account_id' | 'place'>[],
): Promise<void> {
  for (const signer of signers) {
    const { role, account_id: account, place } = signer;
    if (role === 'approver' && account !== null && (await creatorsFor(scope, request, signer)).has(account))
      throw requestProblems.creator_cannot_approve(
        'The requester and the uploader of the version cannot be approvers. Use the role `signer`.',
        {
          errors: [fieldError(`/signers/${place}/role`, 'is the creator of the document', 'maker')],
        },
      );
  }
}

/**
 * Rejects members outside the barrier of a document that they would see, because a signature request would give these members access to it. Throws 422
 * `signer_invalid`.
 */
export async function refuseOutsideBarrier(
  scope: Scope,
  documents: readonly (Audience & { id: string })[],
  signers: readonly Pick<NewSigner, 'id' | 'account_id' | 'place'>[],
): Promise<void> {
  for (const { id, account_id: account, place } of signers)
    if (account !== null && (await isOutside(scope, seenBy(documents, id), account)))
      throw invalid([fieldError(`/signers/${place}/email`, 'a barrier around the document excludes this member', 'barrier')]);
}

const fieldAt = ({ document, kind, page, x, y, width, height, label, required }: FieldPlace & { document: number }): FieldBody => ({
  document,
  kind,
  page,
  x,
  y,
  width,
  height,
  ...(label === undefined ? {} : { label }),
  ...(required === undefined ? {} : { required }),
});

/** Returns the name of a signer in the template of a document, by the position of the document. */
const nameIn = ({ signsAs }: SignerBody, document: number): string | undefined =>
  (typeof signsAs === 'string' ? signsAs : signsAs?.[document]) || undefined;

/** Returns the signers with the fields that the templates assign to them. Throws 422 `signer_invalid`. */
async function placed(scope: Scope, documents: readonly DocumentToSign[], given: readonly SignerBody[]): Promise<SignerBody[]> {
  if (given.every(({ signsAs }) => signsAs === undefined)) return [...given];
  const places: (FieldPlace & { document: number })[] = [];
  for (const [document, { id, version }] of documents.entries())
    places.push(...(await fieldPlacesOf(scope, id, version)).map((one) => ({ ...one, document })));
  const namesIn = documents.map((_, at) => [...new Set(places.flatMap((one) => (one.document === at ? [one.signer] : [])))]);
  return given.map((one, at) => {
    const { signsAs, fields = [] } = one;
    if (signsAs === undefined) return one;
    refuseNames(signsAs, `/signers/${at}/signsAs`, namesIn);
    const isTaken = namesIn.some((names, document) => {
      const name = nameIn(one, document);
      return name !== undefined && names.includes(name) && given.findIndex((other) => nameIn(other, document) === name) < at;
    });
    if (isTaken) throw invalid([fieldError(`/signers/${at}/signsAs`, 'is also used by another signer', 'unique')]);
    return { ...one, fields: [...fields, ...places.filter(({ signer, document }) => signer === nameIn(one, document)).map(fieldAt)] };
  });
}

/** Requires that the names of a signer are in the templates. `namesIn` has the names of each document. Throws 422 `signer_invalid`. */
function refuseNames(signsAs: NonNullable<SignerBody['signsAs']>, at: string, namesIn: readonly string[][]): void {
  if (typeof signsAs !== 'string' && signsAs.length !== namesIn.length)
    throw invalid([
      fieldError(at, `must have a name or an empty text for each document of the request, which has ${namesIn.length}`, 'items'),
    ]);
  const named = typeof signsAs === 'string' ? [{ name: signsAs, pointer: at, known: [...new Set(namesIn.flat())] }] : [];
  const each = typeof signsAs === 'string' ? [] : signsAs.map((name, n) => ({ name, pointer: `${at}/${n}`, known: namesIn[n] ?? [] }));
  for (const { name, pointer, known } of [...named, ...each]) {
    if (name === '' || known.includes(name)) continue;
    if (known.length === 0)
      throw invalid([fieldError(pointer, 'this version of the document has no field positions from a template; use `fields`', 'place')]);
    throw invalid([fieldError(pointer, `must be a signer of its template: ${known.join(', ')}${didYouMean(name, known)}`, 'enum')]);
  }
}

function fieldsOf(
  people: readonly (SignerBody & { at: number })[],
  signers: readonly NewSigner[],
  documents: readonly NewDocument[],
): NewField[] {
  const given = people.flatMap(({ fields = [], role, at }) => {
    if (role === 'copy' && fields.length > 0)
      throw invalid([fieldError(`/signers/${at}/fields`, 'a copy recipient cannot have fields', 'role')]);
    return fields.map((one, n) => ({ ...one, at, n }));
  });
  if (given.length > most.fields) throw invalid([fieldError('/signers', `a request has at most ${most.fields} fields`, 'maxItems')]);
  const taken = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  let next = 0;
  const fresh = (): string => {
    do next += 1;
    while (taken.has(`f${next}`));
    return `f${next}`;
  };
  const ids = new Set<string>();
  return given.map(({ at, n, id = fresh(), document = 0, label = null, required = true, ...place }, position) => {
    const [row, signer] = [documents[document], signers[at]];
    if (!row || !signer || !isSignedBy(audienceOf(row), signer))
      throw invalid([
        fieldError(`/signers/${at}/fields/${n}/document`, 'must be the position of a document that this signer signs', 'document'),
      ]);
    // The label appears on the page of the signer, beside texts of the service.
    if (label !== null && !isPlainText(label))
      throw invalid([
        fieldError(
          `/signers/${at}/fields/${n}/label`,
          'must not contain control characters or characters that change the text direction',
          'text',
        ),
      ]);
    if (ids.has(id)) throw invalid([fieldError(`/signers/${at}/fields/${n}/id`, 'is also the ID of another field', 'unique')]);
    ids.add(id);
    return { ...place, id, signer_id: signer.id, position, document, label, required };
  });
}
