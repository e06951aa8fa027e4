import { randomUUIDv7 } from 'node:crypto';
import { disabledMail as jobDisabledMail } from '../src/automation/runs/mails.ts';
import { disabledMail } from '../src/automation/webhooks/mails.ts';
import type { AccountMails } from '../src/identity/accounts/mail-texts.ts';
import { accountMail } from '../src/identity/accounts/mails.ts';
import { directoryMail } from '../src/identity/directories/mails.ts';
import { certificateMail, domainMail } from '../src/identity/sso/mails.ts';
import { endedMail, endsSoonMail, invitationMail, partingMail } from '../src/identity/teams/mails.ts';
import { type Appointment, skippedMail, teamMail, unreadableMail, visitorMail } from '../src/intake/bookings/mails.ts';
import { notificationKinds } from '../src/intake/bookings/notifications.ts';
import { draftMail } from '../src/intake/forms/drafts/words.ts';
import { confirmMail } from '../src/intake/forms/mails/confirm-words.ts';
import { failuresMail, newsMail, receiptMail, templateMail } from '../src/intake/forms/mails/words.ts';
import { taskFormMail } from '../src/intake/forms/task-forms/words.ts';
import { languages, type MailText, memberLanguages } from '../src/platform/mail/compose.ts';
import { dateMail } from '../src/records/documents/dates/mails.ts';
import { confirmationMail, ruleMail } from '../src/records/documents/retention/mails.ts';
import { barrierMail } from '../src/records/folders/mails.ts';
import { codesLockedMail, endedMail as requestEndedMail, suspendedMail } from '../src/work/signatures/requests/request-texts.ts';
import { codeMail, signerMail } from '../src/work/signatures/requests/signer-texts.ts';
import { delegationEndedMail, delegationLostMail, delegationMail } from '../src/work/tasks/delegations/mails.ts';
import {
  assignedMail,
  barrierChangedMail,
  digestMail,
  escalatedMail,
  groupMail,
  overdueMail,
  reassignedMail,
  unassignedMail,
} from '../src/work/tasks/mails.ts';
import { notificationMail } from '../src/work/workflows/mails.ts';

/** A mail in its languages. `page` is the path of the page of its button, if it has one. */
export type MailSample = { write: (language: string) => MailText; languages: readonly string[]; page?: string | undefined };

export const base = 'https://chancery.example';
export const team = 'Müller & Söhne <Wien>';
const name = 'Zoë <b>&"O’Neil"';
const id = '01999999-0000-7000-8000-000000000000';
const token = `${'a'.repeat(22)}.${'b'.repeat(43)}`;
const look = { name: team, colour: '#0a7d55' };
const day = Temporal.PlainDate.from('2026-06-01');
const at = '2026-06-01T10:00:00.000Z';

const samples: Record<string, MailSample> = {};
/** Adds a mail in English and German, or in `others` too. */
function add(what: string, page: string | undefined, write: MailSample['write'], all: readonly string[] = languages): void {
  samples[what] = { write, page, languages: all };
}

const login = '/app/login';
const [me, inbox, members] = ['/app/me', '/app/', '/app/settings/members'];
const reset = '/reset-password#token=abc-_123';

/** The parameters of each account mail, and the page of its button. */
const accountMails: { [Kind in keyof AccountMails]: [page: string | undefined, ...all: Parameters<AccountMails[Kind]>[]] } = {
  verification: [undefined, [name, '123456', 600], [name, '123456', 1]],
  alreadyRegistered: [login, []],
  passwordReset: [reset, [name, `${base}${reset}`, 1_800]],
  teamCreated: [reset, [name, team, { link: `${base}${reset}`, lives: 259_200 }]],
  passwordChanged: [me, [name]],
  sessionEnded: [login, [name]],
  newDevice: [me, [name, 'Firefox <x>', 'November 21, 2026 at 10:00 AM UTC']],
  twoFactorOn: [me, [name]],
  twoFactorOff: [me, [name]],
  appOff: [me, [name]],
  passkeyAdded: [me, [name, 'Phone & Co']],
  passkeyRemoved: [me, [name, 'Phone', 'password alone'], [name, 'Phone', 'second factor left']],
  appConnected: [me, [name, 'Assistant <b>', 'claude.example', base]],
  identityLinked: [me, [name, 'login.example']],
  identityRemoved: [me, [name, 'login.example', 'person']],
  identityRejected: [undefined, [name, 'login.example']],
  memberIdentityRejected: [members, [name, 'login.example']],
  backupCodeUsed: [me, [name, 9], [name, 1]],
  orphaned: [
    '/app/connections',
    [
      name,
      {
        person: 'Ann & Co <b>',
        why: 'gone',
        made: [
          { kind: 'client', name: 'Import <1>', now: 'waits' },
          { kind: 'client', name: 'Reader', now: 'goes on' },
          { kind: 'connection', name: 'https://login.example', now: 'goes on' },
          { kind: 'invitation', name: 'new@example.org', now: 'ended' },
        ],
      },
    ],
    [name, { person: 'Ann', why: 'reset', made: [{ kind: 'endpoint', name: 'Hook', now: 'goes on' }] }],
  ],
  guessing: ['/forgot-password', [name, 'password'], [name, 'codes'], [name, 'codes stopped']],
  emailChange: [undefined, [name, '654321', 90]],
  emailChangeNotice: [me, [name]],
  emailChanged: [undefined, [name]],
  ownershipGiven: ['/app/settings/team', [name]],
  ownershipTaken: ['/app/settings/team', [name]],
  accountDeleted: [undefined, [name]],
};
for (const [kind, [page, ...all]] of Object.entries(accountMails))
  for (const [n, given] of (all as unknown[][]).entries())
    add(`account ${kind}${n === 0 ? '' : ` ${n + 1}`}`, page, (language) =>
      accountMail(language, kind as keyof AccountMails, ...(given as [never])),
    );
add('account teamCreated for an account', login, (language) => accountMail(language, 'teamCreated', name, team, undefined));
add('account identityRemoved by an administrator', login, (language) =>
  accountMail(language, 'identityRemoved', name, 'login.example', 'administrator'),
);

const invitation = `/accept-invitation#token=${token}`;
for (const role of ['admin', 'member', 'viewer', 'guest', 'auditor'] as const)
  add(`invitation as ${role}`, invitation, (language) =>
    invitationMail(language, {
      team,
      role,
      endsAt: role === 'guest' ? at : null,
      zone: 'UTC',
      by: role === 'viewer' ? undefined : name,
      link: `${base}${invitation}`,
      lives: 259_200,
    }),
  );
add('guest ended', login, (language) => endedMail(language, name, team));
add('guest ends soon', undefined, (language) => endsSoonMail(language, { team, guest: name, endsAt: at, zone: 'UTC' }, 'guest'));
add('guest ends soon, to the sponsor', members, (language) =>
  endsSoonMail(language, { team, guest: name, endsAt: at, zone: 'UTC' }, 'sponsor'),
);
for (const reason of ['removed', 'left'] as const) add(reason, login, (language) => partingMail(language, reason, name, team));

const directory = 'Okta <1>';
const [directories, restore] = ['/app/settings/directories', `/restore-users#token=${token}`];
add('directory welcome', login, (language) => directoryMail(language, { kind: 'welcome' }));
add('directory address', login, (language) => directoryMail(language, { kind: 'address' }));
add('directory keeps the owner', directories, (language) => directoryMail(language, { kind: 'ownerKept', owner: name, directory }));
add('directory surge', restore, (language) => directoryMail(language, { kind: 'surge', users: 80, directory, link: `${base}${restore}` }));
add('directory token ends', directories, (language) =>
  directoryMail(language, { kind: 'tokenEnds', directory, days: 30, at: new Date(at) }),
);

const record = { name: '_chancery.acme.example', value: 'chancery-verification=abc' };
for (const kind of ['missing', 'expired'] as const)
  add(`domain ${kind}`, '/app/settings/sso', (language) =>
    domainMail(language, { kind, domain: 'acme.example', expiresAt: new Date(at), record }),
  );
for (const by of ['administrator', 'metadata'] as const)
  add(`certificate changed by ${by}`, '/app/settings/sso', (language) =>
    certificateMail(language, { kind: 'changed', issuer: 'urn:login', fingerprints: ['ab'.repeat(32), 'cd'.repeat(32)], by }),
  );
add('certificate ending', '/app/settings/sso', (language) =>
  certificateMail(language, { kind: 'ending', issuer: 'urn:login', endsAt: new Date(at) }),
);

for (const kind of ['requested', 'granted', 'succeeded'] as const)
  add(`barrier ${kind}`, '/app/settings/barriers', (language) =>
    barrierMail(kind, language, { who: name, folder: 'Merger <A&B>', reason: 'An erasure request' }),
  );
const rule = { action: 'delete', after: 'P10Y', from: 'created' } as const;
add('retention rule', `/app/documents?folder=${id}`, (language) => ruleMail(language, { name: 'Merger <A&B>', id, rule, day }));
add('retention rule removed', `/app/documents?folder=${id}`, (language) => ruleMail(language, { name: undefined, id, rule: {}, day }));
add('retention confirmation', '/app/settings/retention', (language) => confirmationMail(language, [id], 120));
for (const kind of ['notice', 'expires'] as const)
  for (const isPast of [false, true])
    add(`date ${kind}${isPast ? ' past' : ''}`, `/app/documents/${id}`, (language) =>
      dateMail(language, { id, title: isPast ? undefined : 'Lease <1>', kind, day, isPast }),
    );

for (const reason of ['gone', 'failing'] as const)
  add(`endpoint ${reason}`, '/app/connections', (language) =>
    disabledMail(language, { name: 'Hook & <1>', url: 'https://hooks.example/in?secret=s' }, reason),
  );
for (const reason of ['consecutive_errors', 'owner_inactive', 'schedule_invalid'] as const)
  add(`agent job ${reason}`, `/app/agents/${id}`, (language) => jobDisabledMail(language, { name: 'Check <1>', agent_id: id }, reason));

const workflow = { id, name: 'Review <1>' };
add('notification', `/app/workflows/${id}`, (language) =>
  notificationMail(language, workflow, [{ name: 'Sign & send', description: 'See https://files.example/a?b=1&c=2' }]),
);
add('notification without a name', `/app/workflows/${id}`, (language) =>
  notificationMail(language, workflow, [{ name: null, description: null }]),
);

const one = [{ id, title: 'Review <b> & https://files.example/a?b=1' }];
const two = [...one, { id: randomUUIDv7(), title: 'Two' }];
const ofTask = {
  assigned: assignedMail,
  'for a group': groupMail,
  digest: digestMail,
  overdue: overdueMail,
  'overdue still': escalatedMail,
};
for (const [what, write] of Object.entries({ ...ofTask, 'unassigned by a barrier': barrierChangedMail })) {
  add(`task ${what}`, `/app/tasks/${id}`, (language) => write(language, { named: one, count: 1 }));
  add(`tasks ${what}`, inbox, (language) => write(language, { named: two, count: 5 }));
}
add('task reassigned', inbox, (language) => reassignedMail(language, 'Review <b>', 'Away'));
add('tasks unassigned', inbox, (language) =>
  unassignedMail(
    language,
    Array.from({ length: 22 }, (_, n) => `Task ${n}`),
  ),
);
const delegation = { name, toName: 'Ann', from: at, until: at };
for (const who of ['to the delegate', 'to the absent member'] as const)
  add(`delegation ${who}`, who === 'to the delegate' ? inbox : me, (language) =>
    delegationMail({ locale: language, timezone: 'UTC' }, who, delegation),
  );
add('delegation ended', inbox, (language) => delegationEndedMail(language, delegation));
add('delegation lost', me, (language) => delegationLostMail(language, delegation));

const sign = `/sign/${token}`;
const signer = {
  title: 'NDA <1>',
  by: name,
  team,
  url: `${base}${sign}`,
  until: 'June 1',
  message: 'Soon, please',
  documents: ['NDA', 'Annex'],
};
for (const kind of ['requested', 'reminded', 'completed'] as const)
  add(`signer ${kind}`, sign, (language) => signerMail(language, kind, signer), memberLanguages);
for (const kind of ['voided', 'declined', 'expired'] as const)
  add(`signer ${kind}`, undefined, (language) => signerMail(language, kind, signer), memberLanguages);
add('signer code', undefined, (language) => codeMail(language, { title: 'NDA <1>', code: '123456' }), memberLanguages);
for (const why of ['right_lost', 'signer_left', 'signer_excluded'] as const)
  add(`request suspended ${why}`, `/app/signatures/${id}`, (language) => suspendedMail(language, id, { what: 'NDA', why }));
add('request codes locked', `/app/signatures/${id}`, (language) => codesLockedMail(language, id, { what: 'NDA', name }));
for (const how of ['completed', 'declined', 'expired', 'failed'] as const)
  add(`request ${how}`, `/app/signatures/${id}`, (language) =>
    requestEndedMail(language, id, { what: 'NDA', how, by: name, reason: 'Why' }),
  );

const [manage, ics] = [`/booking/${id}/${token}`, `/api/v1/interfaces/booking/${id}/${token}/calendar.ics`];
const appointment = (kind: Appointment['kind'], locale: string): Appointment => ({
  kind,
  title: 'Consultation',
  with: team,
  look,
  start: at,
  end: at,
  before: '2026-05-31T10:00:00.000Z',
  requested: '2026-06-02T10:00:00.000Z',
  by: 'visitor',
  id,
  zone: 'Europe/Vienna',
  visitorZone: 'Asia/Tokyo',
  locale,
  name,
  reason: 'Why',
  manageUrl: `${base}${manage}`,
  icsUrl: `${base}${ics}`,
});
for (const kind of notificationKinds) {
  const hasEnded = ['cancelled', 'declined', 'expired'].includes(kind);
  add(`booking ${kind}`, hasEnded ? undefined : manage, (language) => visitorMail(appointment(kind, language)), memberLanguages);
  const write = teamMail(appointment(kind, 'en'));
  if (write) add(`booking ${kind}, to the team`, `/app/bookings/${id}`, write);
}
const calendar = { id, title: 'Consultation', name: 'Private' };
add(
  'calendar skipped',
  `/app/forms/${id}`,
  skippedMail({ ...calendar, skipped: [{ reason: 'has no end', summary: 'Lunch', start: '12:00' }] }),
);
add('calendar unreadable', `/app/forms/${id}`, unreadableMail({ ...calendar, reason: 'is too large' }));

const form = { id, title: 'Intake <1>' };
add('submission news', `/app/forms/${id}/submissions`, (language) => newsMail(language, { ...form, more: 1, all: 7 }), memberLanguages);
add(
  'submission failures',
  `/app/forms/${id}/submissions`,
  (language) => failuresMail(language, { ...form, rows: [{ kind: 'workflow', code: 'template_gone', submissions: 3 }] }),
  memberLanguages,
);
for (const change of ['changed', 'deleted'] as const)
  add(
    `form template ${change}`,
    `/app/forms/${id}`,
    (language) => templateMail(language, { ...form, kind: 'workflow', template: 'Two', change }),
    memberLanguages,
  );
add('receipt', undefined, (language) => receiptMail(language, { ...form, time: 'June 1', reference: id }, look), memberLanguages);
const [confirm, draft, task] = [`/f/${token}/confirm/${token}`, `/f/${token}/draft/${token}`, `/f/${token}`];
const answers = { title: 'Intake <1>', by: team, until: 'June 1' };
add('submission to confirm', confirm, (language) => confirmMail(language, { ...answers, url: `${base}${confirm}` }), memberLanguages);
add('draft', draft, (language) => draftMail(language, { ...answers, url: `${base}${draft}` }, look), memberLanguages);
add('task form', task, (language) => taskFormMail(language, { title: 'Intake <1>', url: `${base}${task}` }, look), memberLanguages);

/** Every mail of the service, by its name. */
export const mailSamples: Readonly<Record<string, MailSample>> = samples;
