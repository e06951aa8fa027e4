import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { draftText } from './drafts/description.ts';
import { outputsText } from './outputs/description.ts';
import { documentText } from './document/description.ts';
import { reportsText } from './reports/description.ts';
import { submissionsText } from './submissions/description.ts';
import { brandingText } from './branding/description.ts';
import { previewText } from './preview/description.ts';
import { submitText } from './submit/description.ts';
import { suspensionText } from './suspension/description.ts';
import { taskFormText } from './task-forms/description.ts';
import { uploadText } from './uploads/description.ts';

const fields = [
  { id: 'what', type: 'textarea', label: { en: 'What has happened?', de: 'Was ist geschehen?' }, required: true },
  {
    id: 'anonymous',
    type: 'radio',
    label: { en: 'May we know who you are?', de: 'Dürfen wir wissen, wer Sie sind?' },
    options: [
      { id: 'yes', label: { en: 'Yes', de: 'Ja' } },
      { id: 'no', label: { en: 'No', de: 'Nein' } },
    ],
  },
  { id: 'email', type: 'email', label: { en: 'E-mail', de: 'E-Mail' }, required: true, visibleIf: { field: 'anonymous', eq: 'yes' } },
];
const title = { en: 'Report a concern', de: 'Hinweis geben' };
const publicSettings = { theme: 'auto', showProgress: true, allowPdf: true, locale: 'en', locales: ['en', 'de'] };
const uploads = { maxSizeMb: 20, accept: ['application/pdf', 'image/jpeg', 'image/png'] };

const form = {
  id: desk.interface,
  title,
  type: 'form',
  status: 'draft',
  userId: desk.priya.id,
  fields,
  config: { requireAltcha: false, drafts: true, notify: [], createsDocument: true, uploads, folderId: desk.folder },
  publicSettings,
  revision: 1,
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const published = {
  ...form,
  status: 'published',
  publishedVersion: 1,
  publishedRevision: 1,
  publishedAt: desk.tuesday,
  updatedAt: desk.tuesday,
};
const links = {
  publicToken: desk.publicToken,
  publicUrl: `https://chancery.example/f/${desk.publicToken}`,
  apiToken: desk.apiToken,
};
const listed = {
  id: desk.interface,
  title: title.en,
  type: 'form',
  status: 'published',
  userId: desk.priya.id,
  revision: 1,
  publishedVersion: 1,
  createdBy: desk.priya.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.tuesday,
};
const shown = {
  id: desk.interface,
  title: title.en,
  type: 'form',
  fields: [
    { id: 'what', type: 'textarea', label: 'What has happened?', required: true },
    {
      id: 'anonymous',
      type: 'radio',
      label: 'May we know who you are?',
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
    },
    { id: 'email', type: 'email', label: 'E-mail', required: true, visibleIf: { field: 'anonymous', eq: 'yes' } },
  ],
};
const jsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    what: { title: 'What has happened?', type: 'string', maxLength: 20_000 },
    anonymous: {
      title: 'May we know who you are?',
      oneOf: [
        { const: 'yes', title: 'Yes' },
        { const: 'no', title: 'No' },
      ],
    },
    email: { title: 'E-mail', type: 'string', maxLength: 254, 'x-visible-if': { field: 'anonymous', eq: 'yes' } },
  },
  required: ['what'],
};
const berlin = {
  kind: 'city',
  city: 'Berlin',
  country: 'Germany',
  countryCode: 'DE',
  region: '16',
  population: 3_426_354,
  latitude: 52.524,
  longitude: 13.411,
  geonameId: 2_950_159,
};
const share = {
  id: desk.share,
  interfaceId: desk.interface,
  userId: desk.marcus.id,
  rights: ['submissions'],
  createdAt: desk.tuesday,
};
const place = ['parent_not_found', 'registry_not_found'];
const gone = ['interface_not_found', 'interface_closed', 'interface_full'];

export const description: DomainText = {
  operations: {
    ...submissionsText,
    ...submitText,
    ...uploadText,
    ...suspensionText,
    ...reportsText,
    ...documentText,
    ...brandingText,
    ...draftText,
    ...outputsText,
    listInterfaces: {
      text: 'Lists the interfaces that the caller can see: their own and those shared with them. The owner, administrators and API clients see all interfaces of the team. An API client with folder restrictions sees the interfaces that store submissions in those folders. You can repeat `status`. `getInterface` returns the fields of an interface.',
      answer: [listed],
    },
    createInterface: {
      text: 'Creates a draft that is not public until you publish it. A text is one string for all languages, or one string for each locale. Submissions are stored in the folder `config.folderId`, where the caller needs write access. An information barrier around that folder also hides the interface. The creator owns the interface; an interface of an API client belongs to the owner of the team. A definition has at most 512 KiB and 500 fields.',
      records: ['interface.created'],
      problems: ['matter_not_found', 'matter_closed', 'quota_exceeded', 'interface_invalid', 'calendar_invalid', ...place],
      body: {
        title,
        type: 'form',
        fields,
        config: { drafts: true, createsDocument: true, folderId: desk.folder },
        publicSettings: { locale: 'en', locales: ['en', 'de'] },
      },
      answer: form,
    },
    getInterface: {
      text: 'Returns the draft of an interface with its settings, and the number of its published version. `revision` counts the changes of the draft; send it when you publish.',
      answer: published,
    },
    updateInterface: {
      text: 'Changes the draft by a merge patch: objects are merged, `null` removes a member, and lists such as `fields` are replaced. The published version stays until you publish again; only the calendar takes effect at once. Some settings decide where answers go: `folderId`, `notify`, `createsDocument`, `startsTemplate` and `bindsRegistryTypeId`. To change or publish them, the caller needs the right to read submissions. With `revision` or `If-Match`, a change to an older draft fails.',
      records: ['interface.updated'],
      problems: ['matter_closed', 'draft_changed', 'interface_invalid', 'calendar_invalid', ...place],
      body: { fields, publicSettings: { closesAt: desk.friday } },
      answer: { ...published, revision: 2, publicSettings: { ...publicSettings, closesAt: desk.friday } },
    },
    deleteInterface: {
      text: 'Deletes an interface; its links stop working. For its owner and administrators. Responds 409 while a legal hold applies to the folder of the submissions. Responds 409 if there are future bookings, unless `cancelBookings` is true. Then Chancery cancels them and notifies each visitor.',
      records: ['interface.deleted', 'booking.cancelled'],
      problems: ['bookings_ahead', 'legal_hold_active'],
    },
    publishInterface: {
      text: 'Publishes the draft with the given `revision` as an immutable version, and returns the links. The first publication creates the links, and later ones keep them. Visitors with an open form can submit the older version for a day, unless `supersede` is `now`. Publishing the same revision again creates a version only if a template that it names has changed. `warnings` lists texts that are missing in a language, and values of outputs (`config.then`) that their template can reject. With `strict`, such values are errors.',
      records: ['interface.published'],
      problems: ['matter_closed', 'draft_changed', 'interface_invalid', 'calendar_missing', 'legal_hold_active', ...place],
      body: { revision: 1 },
      answer: { ...published, ...links },
    },
    closeInterface: {
      text: 'Closes an interface: its links respond 410. Visitors who submitted before can still get their results. Publishing opens the interface again.',
      records: ['interface.closed'],
      problems: ['interface_not_published'],
      answer: { ...published, status: 'closed' },
    },
    rotateInterfaceToken: {
      text: 'Replaces the public link or the token of the API channel. The previous one responds 404 at once. Visitors who submitted through it can get their results for a day.',
      records: ['interface.link_rotated'],
      problems: ['interface_not_published'],
      body: { channel: 'public' },
      answer: { ...published, ...links },
    },
    getInterfaceLinks: {
      text: 'Returns the links of a published interface. Requires the right to edit it.',
      problems: ['interface_not_published', 'forbidden'],
      answer: links,
    },
    ...previewText,
    ...taskFormText,
    duplicateInterface: {
      text: 'Creates a draft from the draft of an interface, with its calendar and settings, but without its answers, links and shares. The caller owns the copy, and needs access to everything it refers to, such as a folder.',
      records: ['interface.created'],
      problems: ['quota_exceeded', 'interface_invalid', ...place],
      body: { title: 'Report a concern (Lyon)' },
      answer: form,
    },
    getInterfaceStatistics: {
      text: 'Counts submissions by day (UTC) and channel, for at most 366 days. Without `from` and `to` it covers the last 30 days. The counts include submissions that were erased. Requires the right to read the submissions.',
      problems: ['forbidden'],
      answer: {
        from: '2026-03-09',
        to: '2026-03-11',
        total: 1_204,
        days: [{ day: '2026-03-10', channel: 'public', received: 31, spam: 2 }],
      },
    },
    listInterfaceShares: {
      text: 'Lists the shares of an interface, for everyone who can see it. The owner and administrators need no share.',
      answer: [share],
    },
    shareInterface: {
      text: 'Gives a member, a group or the whole team the right to edit an interface, read its submissions, or both. A second share with the same principal replaces the first. Viewers can only read. For the owner and administrators. An information barrier around the folder of the submissions takes precedence over a share.',
      records: ['interface.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.marcus.id, rights: ['submissions'] },
      answer: share,
    },
    deleteInterfaceShare: {
      text: 'Ends a share and its rights at once. Settings that the member made through it, such as notifications of submissions, also end unless the member has another right to them. For the owner and administrators.',
      records: ['interface.unshared'],
    },
    listInterfaceAccess: {
      text: 'Lists the principals with access to an interface, with rights, reason and start. Marks persons outside the information barrier. `privilegedAccess` lists the actions of administrators that only their role allowed. For the owner and administrators.',
      problems: ['forbidden'],
      answer: {
        grants: [
          { userId: desk.priya.id, rights: ['edit', 'submissions'], reason: 'owner', since: desk.monday },
          {
            id: desk.share,
            userId: desk.marcus.id,
            rights: ['submissions'],
            reason: 'share',
            grantedBy: desk.priya.id,
            since: desk.tuesday,
          },
        ],
        privilegedAccess: [{ id: desk.entry, type: 'interface.updated', userId: desk.olivia.id, at: desk.wednesday }],
      },
    },
    getPublicInterface: {
      text: 'Returns the published version of a form in one language. Chancery takes the first available language of `locale`, `Accept-Language` and the form’s default. The response has only the settings that a page needs, and nothing about the team. Every invalid link gets the same response.',
      problems: gone,
      never: ['not_found'],
      answer: { ...shown, config: { requireAltcha: false, uploads, drafts: true }, publicSettings },
    },
    listSlots: {
      text: 'Lists the free slots. `from` and `to` are dates in the calendar’s zone, both inclusive, or times with an offset, the second exclusive. They are at most 62 days apart. An hour that a clock change skips has no slot, and an hour that it repeats has its slots twice. Another visitor can book a slot after this response; the booking checks it again.',
      problems: ['calendar_missing', ...gone],
      never: ['not_found'],
      answer: {
        durationMin: 30,
        slots: [
          { start: '2026-03-16T09:00:00.000Z', end: '2026-03-16T09:30:00.000Z', remaining: 1, localStart: '2026-03-16T10:00:00+01:00' },
        ],
      },
    },
    getApiInterface: {
      text: 'Returns the fields that a program can submit. `publicSettings.jsonSchema` is a JSON Schema of `data`. The token in the path is the credential.',
      problems: gone,
      never: ['not_found'],
      answer: { ...shown, publicSettings: { ...publicSettings, jsonSchema } },
    },
    lookUpRegistry: {
      text: 'Returns up to 50 records of a registry that the form uses, through a `registry` field or its own binding. Records have only the values of fields that were `public` at publication and still are. `q` searches these values: each of its words must begin a word of the record. The response is the same for a registry that the form does not use, one of another team, and one with an ended binding. An answer to a `registry` field refers to one of these records.',
      problems: gone,
      answer: { records: [{ id: desk.record, data: { name: 'Acme Robotics GmbH' } }] },
    },
    suggestAddresses: {
      text: 'Suggests places for a text in an `address` field, from the configured provider or a bundled list of countries and cities. Passes on no data of the visitor. Returns no suggestions if `q` has fewer than two characters or the provider does not respond. The field accepts any text in these cases.',
      problems: [...gone, 'suggestions_disabled'],
      never: ['not_found'],
      answer: { suggestions: [{ value: 'Berlin, Germany', unrestrictedValue: 'Berlin, Germany', data: berlin }] },
    },
  },
};
