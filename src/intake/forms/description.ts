import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { draftText } from './drafts/description.ts';
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
    listInterfaces: {
      text: 'Lists the interfaces that the caller may see: their own and those shared with them, and for owner, administrators and API clients all of the team. An API client that is confined to folders sees those whose submissions live there. `status` may be given several times. What an interface asks is shown by `getInterface`.',
      answer: [listed],
    },
    createInterface: {
      text: 'Makes a draft, of which the public sees nothing before it is published. Texts are one for every language, or one a locale. `config.folderId` is where submissions will live, which takes writing there; a barrier around that folder hides the interface too. An interface belongs to who makes it, and one that an API client makes to the owner of the team. A definition has 512 KiB and 500 fields at most.',
      records: ['interface.created'],
      problems: ['quota_exceeded', 'interface_invalid', 'calendar_invalid', ...place],
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
      text: 'Shows the draft of an interface with its settings, and which version of it is published. The revision counts the changes of the draft; publishing names it.',
      answer: published,
    },
    updateInterface: {
      text: 'Changes the draft by a merge patch: objects are merged, `null` removes a member, lists such as `fields` are replaced. What is published stays as it is until the draft is published again; the calendar alone counts at once. Where answers go (`folderId`, `notify`, `createsDocument`, `startsTemplate`, `bindsRegistryTypeId`) is changed and published by those who may read what is answered. With `revision` or `If-Match` a change that was made on an older draft is refused.',
      records: ['interface.updated'],
      problems: ['draft_changed', 'interface_invalid', 'calendar_invalid', ...place],
      body: { fields, publicSettings: { closesAt: desk.friday } },
      answer: { ...published, revision: 2, publicSettings: { ...publicSettings, closesAt: desk.friday } },
    },
    deleteInterface: {
      text: 'Deletes an interface: its links lead nowhere from then on. For its owner and administrators, and not while a legal hold stands on the folder that these live in. With bookings ahead it is refused, unless `cancelBookings` says that they are cancelled with it: each visitor is told.',
      records: ['interface.deleted', 'booking.cancelled'],
      problems: ['bookings_ahead', 'legal_hold_active'],
    },
    publishInterface: {
      text: 'Publishes the draft that was looked at, which `revision` names, as a version that never changes, and answers with the links. They are made with the first version and stay the same. Whoever has the form open may still send it for a day by the version that they see, unless `supersede` is `now`. The same revision again changes nothing. `warnings` name texts that one of the languages lacks.',
      records: ['interface.published'],
      problems: ['draft_changed', 'interface_invalid', 'calendar_missing', 'legal_hold_active', ...place],
      body: { revision: 1 },
      answer: { ...published, ...links },
    },
    closeInterface: {
      text: 'Takes no more answers: the links answer 410 from then on. Who has answered still gets what became of it. Publishing opens the interface again.',
      records: ['interface.closed'],
      problems: ['interface_not_published'],
      answer: { ...published, status: 'closed' },
    },
    rotateInterfaceToken: {
      text: 'Replaces the public link or the token of the API channel. The one before is 404 at once; who has answered by it still gets what became of that, for a day.',
      records: ['interface.link_rotated'],
      problems: ['interface_not_published'],
      body: { channel: 'public' },
      answer: { ...published, ...links },
    },
    getInterfaceLinks: {
      text: 'Shows the links of an interface that was published, to those who may edit it.',
      problems: ['interface_not_published', 'forbidden'],
      answer: links,
    },
    ...previewText,
    ...taskFormText,
    duplicateInterface: {
      text: 'Makes a draft that asks the same, of whoever asks for it: what the draft says, with its calendar and settings, and nothing of the answers, links or shares. What it names, such as a folder, must be theirs to name, as if they had made it.',
      records: ['interface.created'],
      problems: ['quota_exceeded', 'interface_invalid', ...place],
      body: { title: 'Report a concern (Lyon)' },
      answer: form,
    },
    getInterfaceStatistics: {
      text: 'Counts who answered, by day (UTC) and channel, for at most 366 days: the last 30 without `from` and `to`. What was erased since stays counted. For those who may read the submissions.',
      problems: ['forbidden'],
      answer: {
        from: '2026-03-09',
        to: '2026-03-11',
        total: 1_204,
        days: [{ day: '2026-03-10', channel: 'public', received: 31, spam: 2 }],
      },
    },
    listInterfaceShares: {
      text: 'Lists who an interface is shared with, to whoever sees it. The owner and administrators need no share.',
      answer: [share],
    },
    shareInterface: {
      text: 'Lets a member, a group or the whole team edit an interface, read what was submitted, or both. A second share with the same principal replaces the first. Viewers read only. For the owner and administrators. An information barrier around the folder of the submissions takes precedence over a share.',
      records: ['interface.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.marcus.id, rights: ['submissions'] },
      answer: share,
    },
    deleteInterfaceShare: {
      text: 'Ends a share, and with it what it gave, at once. What somebody has set with it, such as who is told of submissions, ends too where they have no other right to it. For the owner and administrators.',
      records: ['interface.unshared'],
    },
    listInterfaceAccess: {
      text: 'Lists who may do what with an interface, why and since when; persons outside of the barrier are marked. `privilegedAccess` are what administrators did with it by their role alone. For the owner and administrators.',
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
      text: 'Shows the published version of a form to whoever has its link, in one language: the one that `locale` asks for, else one that `Accept-Language` prefers, else the form’s default. Of its settings it says what a page needs to know, and nothing of the team. The answer of a link that leads nowhere is the same whatever the reason.',
      problems: gone,
      never: ['not_found'],
      answer: { ...shown, config: { requireAltcha: false, uploads, drafts: true }, publicSettings },
    },
    listSlots: {
      text: 'Lists the slots that can be booked, those that are taken left out. `from` and `to` are dates of the calendar’s zone, both included, or times with an offset, the second excluded; at most 62 days apart. By the clocks of that zone an hour that is skipped has no slot, and one that comes twice has its slots twice. What is listed may be taken a moment later: booking looks again, by the same rules.',
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
      text: 'Shows a program what it may submit: the fields, and under `publicSettings.jsonSchema` a JSON Schema of `data`. The token in the path is the credential.',
      problems: gone,
      never: ['not_found'],
      answer: { ...shown, publicSettings: { ...publicSettings, jsonSchema } },
    },
    lookUpRegistry: {
      text: 'Shows records of a registry that the form shows, because one of its `registry` fields chooses from it or because it is a form of that registry: at most 50, with the values of the fields that were `public` when the form was published and still are, by which alone `q` searches. Each word of `q` must begin a word of the record. A registry that the form does not show, one of another team and one that whoever bound the form to it may not bind any more are answered alike. An answer to a `registry` field names one of these records.',
      problems: gone,
      answer: { records: [{ id: desk.record, data: { name: 'Acme Robotics GmbH' } }] },
    },
    suggestAddresses: {
      text: 'Suggests places for what somebody has typed into a field of the type `address`: by the provider that the operator has chosen, or by a bundled list of countries and cities. Nothing of the visitor is passed on. Without `q`, with less than two characters of it, and while the provider does not answer, nothing is suggested, and the field takes what is typed all the same.',
      problems: [...gone, 'suggestions_disabled'],
      never: ['not_found'],
      answer: { suggestions: [{ value: 'Berlin, Germany', unrestrictedValue: 'Berlin, Germany', data: berlin }] },
    },
  },
};
