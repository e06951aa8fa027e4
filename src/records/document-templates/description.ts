import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const source = `#let data = json(bytes(sys.inputs.data))
#set document(title: "Power of attorney")
#set text(lang: "en")
#title[Power of attorney]
I, #data.grantor, empower #data.holder to act for me in the matter #emph(data.matter).`;
const schema = {
  type: 'object',
  required: ['grantor', 'holder', 'matter'],
  additionalProperties: false,
  properties: { grantor: { type: 'string' }, holder: { type: 'string' }, matter: { type: 'string', maxLength: 500 } },
  examples: [{ grantor: 'Acme Robotics GmbH', holder: 'Northwind Legal', matter: 'Terms of supply' }],
};

const made = { createdBy: desk.priya.id, createdByType: 'user', createdAt: desk.monday };
const summary = {
  id: desk.documentTemplate,
  name: 'Power of attorney',
  description: 'For matters out of court',
  version: 1,
  userId: desk.priya.id,
  access: 'manage',
  ...made,
  updatedAt: desk.monday,
};
const content = { source, schema, files: [] };
const template = { ...summary, ...content };
const grant = { id: desk.share, team: true, access: 'read', reason: 'share', grantedBy: desk.priya.id, since: desk.tuesday };

const document = {
  id: desk.document,
  title: 'Power of attorney, Acme Robotics',
  folderId: desk.folder,
  userId: desk.priya.id,
  status: 'draft',
  currentVersion: {
    number: 1,
    fileName: 'Power of attorney, Acme Robotics.pdf',
    mediaType: 'application/pdf',
    size: 18_204,
    sha256: desk.sha256,
    createdBy: desk.priya.id,
    createdByType: 'user',
    createdAt: desk.tuesday,
  },
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.tuesday,
  updatedAt: desk.tuesday,
};

const trial = ['document_template_invalid', 'document_limit_exceeded', 'document_queue_full'];
const use = ['document_data_invalid', 'document_limit_exceeded', 'document_queue_full'];

export const description: DomainText = {
  operations: {
    listDocumentTemplates: {
      text: 'Lists the templates that the caller may use: their own, those shared with them or with the whole team, and for owner, administrators and API clients all of the team. `getDocumentTemplate` shows what one says.',
      answer: [summary],
    },
    createDocumentTemplate: {
      text: 'Makes a template: a source in Typst, and a JSON Schema (2020-12) of the values that it takes, which it reads with `json(bytes(sys.inputs.data))`. The source is tried with the first of the schema’s `examples`; where it fails nothing is kept, and `errors` names each line. It reads its own `files` alone, PNG and JPEG; there are no packages, no `eval` and no `plugin`, and no network. What a person makes is theirs alone until they share it; what an API client makes belongs to the team’s owner. A repetition without an `Idempotency-Key` makes a second template.',
      records: ['document_template.created'],
      problems: ['quota_exceeded', ...trial],
      body: { name: template.name, description: template.description, source, schema },
      answer: template,
    },
    listDocumentTemplateLibrary: {
      text: 'Lists the templates that come along, each whole: a non-disclosure agreement, a data processing agreement, an engagement letter, an invoice, and the reply to a request for access to personal data. They are a beginning to be changed, and no legal advice.',
      answer: [{ slug: 'nda', name: 'Non-disclosure agreement', description: 'A mutual or one-sided agreement', source, schema }],
    },
    copyDocumentTemplateFromLibrary: {
      text: 'Makes a copy of a template that comes along, which is the caller’s own from then on. A repetition without an `Idempotency-Key` makes a second copy.',
      records: ['document_template.created'],
      problems: ['quota_exceeded'],
      answer: { ...template, librarySlug: 'nda', name: 'Non-disclosure agreement' },
    },
    getDocumentTemplate: {
      text: 'Shows one template at its newest version. One that the caller may not use is 404, as if it did not exist. What only somebody’s role opens is in the journal once an hour, as `document_template.read`.',
      records: ['document_template.read'],
      answer: template,
    },
    updateDocumentTemplate: {
      text: 'Changes what is given of a template. A change of source, schema or files is tried as at the beginning, and makes a version; documents keep which version they were made from. Files are sent as a whole list: one without `content` stays as it is. It is for whoever it is shared with to write. Of several changes made on one reading, `If-Match` lets exactly one pass; without it, one that another overtook while it was tried is 409.',
      records: ['document_template.updated'],
      problems: ['conflict', 'quota_exceeded', ...trial],
      body: { description: 'For matters in and out of court' },
      answer: { ...template, description: 'For matters in and out of court', updatedAt: desk.tuesday },
    },
    deleteDocumentTemplate: {
      text: 'Deletes a template for good, with its versions and shares; documents that were made from it stay, and still tell its identifier. It is for the owner, administrators and API clients. A repetition is 404.',
      records: ['document_template.deleted'],
    },
    listDocumentTemplateVersions: {
      text: 'Lists the versions of source, schema and files, newest first; the newest 200 are kept.',
      records: ['document_template.read'],
      answer: [{ version: 1, ...made }],
    },
    getDocumentTemplateVersion: {
      text: 'Shows what a template was in one version. To have it again, send it to `updateDocumentTemplate`.',
      records: ['document_template.read'],
      answer: { version: 1, ...content, ...made },
    },
    listDocumentTemplateAccess: {
      text: 'Tells the owner of the template, and owner and administrators of the team, who may use it, for which reason and since when. `privilegedAccess` names what administrators read by their role alone.',
      problems: ['forbidden'],
      answer: {
        grants: [{ userId: desk.priya.id, access: 'write', reason: 'owner', since: desk.monday }, grant],
        privilegedAccess: [{ id: desk.entry, type: 'document_template.read', userId: desk.marcus.id, at: desk.tuesday }],
      },
    },
    shareDocumentTemplate: {
      text: 'Shares a template with a member, a group or the whole team: to make documents from it (`read`), or to change it too (`write`). Who else has it, and whether it is there, stay with its owner and administrators. A second share with the same changes the first.',
      records: ['document_template.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { team: true, access: 'read' },
      answer: grant,
    },
    revokeDocumentTemplateGrant: {
      text: 'Ends what `listDocumentTemplateAccess` lists with an identifier. Documents that were made stay. A repetition is 404.',
      records: ['document_template.unshared'],
    },
    previewDocumentTemplate: {
      text: 'Sets the document that values would make, and answers with the PDF, PDF/A-2a and tagged. Nothing of it is kept.',
      records: ['document_template.read'],
      problems: use,
      body: { data: schema.examples[0] },
    },
    createDocumentFromTemplate: {
      text: 'Makes a document, with its PDF (PDF/A-2a, tagged) as its first version, from one of `data`, `submissionId` and `record`, whose values must fit the schema; members that have a `default` there are filled in. Values are data: nothing in them is read as markup, and a character that no font draws is written as U+XXXX. Who makes it must be able to use the template, to read the submission or record, and to write to the folder, which stands behind the barrier around the submission where there is one; an API client needs the scope to read it as well. The document is its own from then on: what is erased elsewhere later, such as the submission, stays in it. Where the source places fields for signatures, a request for signatures on this version gives them to those who sign (`signsAs`). A repetition without an `Idempotency-Key` makes a second document.',
      records: ['document_template.used', 'document.created', 'document.version_added'],
      problems: ['parent_not_found', 'quota_exceeded', 'document_source_not_found', 'document_outside_barrier', ...use],
      body: { data: schema.examples[0], title: document.title, folderId: desk.folder },
      answer: document,
    },
    getDocumentOrigin: {
      text: 'Tells which template, and which version of it, a document was made from, and from what; 404 for one that was not made from a template. It is for whoever may read the document. The template itself may be gone, or not the caller’s to use. `signatureFields` says where its first version is signed and by whom, where the template places fields.',
      answer: {
        documentId: desk.document,
        templateId: desk.documentTemplate,
        version: 1,
        source: 'data',
        signatureFields: [{ signer: 'grantor', kind: 'signature', page: 1, x: 72, y: 640, width: 170, height: 31 }],
      },
    },
  },
};
