import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const source = `#let data = json(bytes(sys.inputs.data))
#set document(title: "Power of attorney")
#set text(lang: "en")
#title[Power of attorney]
I, #data.grantor, empower #data.representative to act for me in the matter #emph(data.matter).`;
const schema = {
  type: 'object',
  required: ['grantor', 'representative', 'matter'],
  additionalProperties: false,
  properties: { grantor: { type: 'string' }, representative: { type: 'string' }, matter: { type: 'string', maxLength: 500 } },
  examples: [{ grantor: 'Acme Robotics GmbH', representative: 'Northwind Legal', matter: 'Terms of supply' }],
};

const made = { createdBy: desk.priya.id, createdByType: 'user', createdAt: desk.monday };
const summary = {
  id: desk.documentTemplate,
  name: 'Power of attorney',
  description: 'For matters out of court',
  version: 1,
  signers: [],
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
      text: 'Lists the templates that the caller may use: their own and those shared with them or with the whole team. Owner, administrators and API clients see all templates of the team. `getDocumentTemplate` shows the content of one.',
      answer: [summary],
    },
    createDocumentTemplate: {
      text: 'Creates a template: a Typst source, and a JSON Schema (2020-12) of its values. The source reads the values with `json(bytes(sys.inputs.data))`. Chancery tests the source with the first of the schema’s `examples`. If it fails, nothing is stored and `errors` names each line. The source reads only its own `files`, PNG and JPEG. It has no packages, no `eval`, no `plugin` and no network. A user’s template is private until they share it; an API client’s template belongs to the team’s owner. Repeating the request without an `Idempotency-Key` creates a second template.',
      records: ['document_template.created'],
      problems: ['quota_exceeded', ...trial],
      body: { name: template.name, description: template.description, source, schema },
      answer: template,
    },
    listDocumentTemplateLibrary: {
      text: 'Lists the templates of the library with their content. They cover a non-disclosure agreement, a data processing agreement, an engagement letter, an invoice, and a reply to a data access request. They are starting points, not legal advice.',
      answer: [
        {
          slug: 'nda',
          name: 'Non-disclosure agreement',
          description: 'A mutual or one-sided agreement',
          signers: ['disclosing', 'receiving'],
          source,
          schema,
        },
      ],
    },
    copyDocumentTemplateFromLibrary: {
      text: 'Creates a copy of a library template, which the caller owns. Repeating the request without an `Idempotency-Key` creates a second copy.',
      records: ['document_template.created'],
      problems: ['quota_exceeded'],
      answer: { ...template, librarySlug: 'nda', signers: ['disclosing', 'receiving'], name: 'Non-disclosure agreement' },
    },
    getDocumentTemplate: {
      text: 'Shows the newest version of a template. A template that the caller may not use returns 404, as if it did not exist. A read that only a role allows is in the journal once an hour, as `document_template.read`.',
      records: ['document_template.read'],
      answer: template,
    },
    updateDocumentTemplate: {
      text: 'Changes the given members of a template. A change of source, schema or files is tested as at the creation and creates a version. Documents keep the version that they were created from. `files` replaces the whole list: a file without `content` stays as it is. Allowed are callers with write access. With `If-Match` exactly one of several concurrent changes succeeds. Without it, a change returns 409 if another one was stored during its test.',
      records: ['document_template.updated'],
      problems: ['conflict', 'quota_exceeded', ...trial],
      body: { description: 'For matters in and out of court' },
      answer: { ...template, description: 'For matters in and out of court', updatedAt: desk.tuesday },
    },
    deleteDocumentTemplate: {
      text: 'Deletes a template permanently, with its versions and shares. Documents created from it stay and keep its identifier. Allowed are the owner of the template, administrators and API clients. Returns 409 with the published forms that name it; with `force=true` their owners get an email instead. Repeating the request returns 404.',
      records: ['document_template.deleted'],
      problems: ['template_in_use'],
    },
    listDocumentTemplateVersions: {
      text: 'Lists the versions of source, schema and files, newest first. The newest 200 are stored.',
      records: ['document_template.read'],
      answer: [{ version: 1, ...made }],
    },
    getDocumentTemplateVersion: {
      text: 'Shows one version of a template. To restore it, send its content to `updateDocumentTemplate`.',
      records: ['document_template.read'],
      answer: { version: 1, ...content, ...made },
    },
    listDocumentTemplateAccess: {
      text: 'Lists the users with access to a template, with the reason and start of each access. Allowed are the owner of the template, and owner and administrators of the team. `privilegedAccess` lists reads that only an administrator’s role allowed.',
      problems: ['forbidden'],
      answer: {
        grants: [{ userId: desk.priya.id, access: 'write', reason: 'owner', since: desk.monday }, grant],
        privilegedAccess: [{ id: desk.entry, type: 'document_template.read', userId: desk.marcus.id, at: desk.tuesday }],
      },
    },
    shareDocumentTemplate: {
      text: 'Shares a template with a member, a group or the whole team. `read` allows them to create documents from it; `write` also allows them to change it. Only its owner and administrators share or delete it. A second share with the same principal replaces the first.',
      records: ['document_template.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { team: true, access: 'read' },
      answer: grant,
    },
    revokeDocumentTemplateGrant: {
      text: 'Ends a share by its identifier in `listDocumentTemplateAccess`. Documents created from the template stay. Repeating the request returns 404.',
      records: ['document_template.unshared'],
    },
    previewDocumentTemplate: {
      text: 'Returns the PDF (PDF/A-2a, tagged) that the values produce. Without `data` it uses the first of the `examples` of the schema, so that a template of the library can be previewed at once. Nothing is stored.',
      records: ['document_template.read'],
      problems: use,
      body: { data: schema.examples[0] },
    },
    createDocumentFromTemplate: {
      text: 'Creates a document with its PDF (PDF/A-2a, tagged) as the first version. The values come from one of `data`, `submissionId` and `record`, and must match the schema. Missing members get the schema’s `default`. Values are data: no markup is interpreted, and a character without a font is written as U+XXXX. The caller must be able to use the template, read the submission or record, and write to the folder. If a barrier protects the submission, the folder must be in the same barrier. An API client also needs the scope to read the source. The document is independent of its source and keeps its content if, for example, the submission is erased. If the template places signature fields, a signature request on this version assigns them to its signers (`signsAs`). Repeating the request without an `Idempotency-Key` creates a second document.',
      records: ['document_template.used', 'document.created', 'document.version_added'],
      problems: ['parent_not_found', 'quota_exceeded', 'document_source_not_found', 'document_outside_barrier', ...use],
      body: { data: schema.examples[0], title: document.title, folderId: desk.folder },
      answer: document,
    },
    getDocumentOrigin: {
      text: 'Shows the template, its version and the source of values of a document. A document without a template returns 404. Allowed are callers who may read the document. The template may be deleted or not accessible to the caller. If the template places signature fields, `signatureFields` has the position and signer of each in the first version.',
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
