import type { Api } from '@chancery/client';
import { must, StepFailed } from './api.ts';

/** The public link of a form, and the token in it. */
export type Published = { token: string; url: string };

const intake = {
  title: { en: 'Have a contract looked at', de: 'Einen Vertrag prüfen lassen' },
  type: 'form' as const,
  fields: [
    { id: 'name', type: 'text' as const, label: { en: 'Your name', de: 'Ihr Name' }, required: true },
    {
      id: 'who',
      type: 'radio' as const,
      label: { en: 'For whom do you ask?', de: 'Für wen fragen Sie?' },
      required: true,
      options: [
        { id: 'person', label: { en: 'For myself', de: 'Für mich selbst' } },
        { id: 'company', label: { en: 'For a company', de: 'Für ein Unternehmen' } },
      ],
    },
    {
      id: 'company',
      type: 'text' as const,
      label: { en: 'Name of the company', de: 'Name des Unternehmens' },
      required: true,
      visibleIf: { field: 'who', eq: 'company' },
    },
    {
      id: 'concern',
      type: 'textarea' as const,
      label: { en: 'What worries you about it?', de: 'Was macht Ihnen daran Sorgen?' },
      required: true,
      page: 2,
    },
    {
      id: 'contract',
      type: 'file' as const,
      label: { en: 'The contract, as PDF', de: 'Der Vertrag als PDF' },
      page: 2,
      validation: { accept: ['application/pdf'] },
    },
  ],
  config: { createsDocument: true },
  publicSettings: { locale: 'en', locales: ['en', 'de'], showProgress: true },
};

const hours: [string, string][] = [
  ['09:00', '12:00'],
  ['14:00', '17:00'],
];
const call = {
  title: { en: 'First consultation', de: 'Erstes Gespräch' },
  type: 'scheduling' as const,
  fields: [{ id: 'name', type: 'text' as const, label: { en: 'Your name', de: 'Ihr Name' }, required: true }],
  calendar: { timeZone: 'Europe/Berlin', durationMin: 30, weekly: { mon: hours, tue: hours, wed: hours, thu: hours, fri: hours } },
  publicSettings: { locale: 'en', locales: ['en', 'de'] },
};

/** Returns the public link of the form with this title. Creates and publishes the form if the team has none. */
async function published(api: Api, definition: typeof intake | typeof call): Promise<Published> {
  const forms = must(await api.GET('/api/v1/interfaces/'));
  const known = forms.find(({ title }) => title === definition.title.en);
  if (known) {
    const { publicToken: token, publicUrl: url } = must(
      await api.GET('/api/v1/interfaces/{id}/links', { params: { path: { id: known.id } } }),
    );
    return { token, url };
  }
  const { id, revision } = must(await api.POST('/api/v1/interfaces/', { body: definition }));
  const { publicToken, publicUrl } = must(
    await api.POST('/api/v1/interfaces/{id}/publish', { params: { path: { id } }, body: { revision } }),
  );
  return { token: publicToken, url: publicUrl };
}

/** Publishes a form of two pages with a conditional field and a file upload. */
export const intakeForm = (api: Api): Promise<Published> => published(api, intake);

/** Publishes a form that books an appointment. */
export const bookingForm = (api: Api): Promise<Published> => published(api, call);

/** Submits the form as a visitor without an account. Returns the session that gives access to the PDF. */
export async function answerIntake(open: Api, token: string): Promise<{ session: string }> {
  const data = { name: 'Grace Hopper', who: 'company', company: 'Eckert-Mauchly Computer Corporation', concern: 'It has no end.' };
  const answer = await open.POST('/api/v1/interfaces/public/{token}/submit', { params: { path: { token } }, body: { data } });
  must(answer);
  const session = answer.response.headers.get('x-submission-session');
  if (session === null) throw new StepFailed('the submission returned no session');
  return { session };
}

/** Returns the PDF of the submission of a session, or undefined while it is not ready. */
export async function pdfOf(open: Api, token: string, session: string): Promise<Buffer | undefined> {
  const target = { params: { path: { token } }, headers: { 'x-submission-session': session } };
  if (!must(await open.GET('/api/v1/interfaces/public/{token}/submission/status', target)).ready) return undefined;
  return Buffer.from(must(await open.GET('/api/v1/interfaces/public/{token}/submission/pdf', { ...target, parseAs: 'arrayBuffer' })));
}

/** Books the first free slot of the next four weeks as a visitor. Returns its start. */
export async function bookFirst(open: Api, token: string): Promise<string> {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const path = { token };
  const free = must(
    await open.GET('/api/v1/interfaces/public/{token}/availability', { params: { path, query: { from: day(0), to: day(28) } } }),
  );
  const start = free.slots[0]?.start;
  if (start === undefined) throw new StepFailed('no slot is free in the next four weeks');
  must(await open.POST('/api/v1/interfaces/public/{token}/submit', { params: { path }, body: { data: { name: 'Grace Hopper', start } } }));
  return start;
}
