import type { Answers } from '#fields';
import type { PageForm } from '#forms';
import { type Html, html } from '../../../../platform/http/html.ts';
import type { PublicPages } from '../context.ts';
import { proofFiles } from '../proof-view.ts';
import type { PublicPage } from '../shell.ts';
import { wordsFor } from '../words/index.ts';
import { formView, type Progress, type ShownForm } from './form-view.ts';
import type { FieldContext, FieldErrorText, OfferedRecord } from './question.ts';
import { shownFor } from './steps.ts';

/** A form at the address of its link. */
export type OpenForm = { form: PageForm; token: string };

/** Where a form stands, as a path. */
export const pathOf = ({ base, formsAt }: PublicPages, token: string): string => `${base}${formsAt}/${token}`;

/** What is to be seen of a form in progress beside where somebody stands in it. */
export type InProgress = Progress & {
  answers: Answers;
  errors?: readonly FieldErrorText[] | undefined;
  fileNames?: ReadonlyMap<string, string>;
  records?: ReadonlyMap<string, readonly OfferedRecord[]>;
  /** What was searched for in the lists of registry fields, by the id of the field. */
  searches?: ReadonlyMap<string, string>;
  /** What stands over the questions, such as the time that is booked. */
  over?: Html;
};

/** The page of a form with its questions. */
export function formPage(
  pages: PublicPages,
  open: OpenForm,
  { answers, errors = [], fileNames, records, searches, over, ...progress }: InProgress,
): PublicPage {
  const { shown, fields } = open.form;
  const { locale } = shown.publicSettings;
  const { words } = wordsFor(locale);
  const context: FieldContext = {
    words,
    locale,
    values: answers,
    visible: shownFor(fields, answers, locale),
    errors,
    fileNames: fileNames ?? new Map(),
    records: records ?? new Map(),
    searched: new Set([...(searches ?? [])].flatMap(([id, text]) => (text === '' ? [] : [id]))),
    uploads: shown.config.uploads,
  };
  const wrong = errors.length > 0 || progress.refusal !== undefined;
  const page = pageOfForm(pages, open, formView(shownForm(pages, open), context, progress, over), { form: true });
  return { ...page, title: wrong ? `${words.problem}: ${page.title}` : page.title, proof: shown.config.requireAltcha };
}

function shownForm(
  pages: PublicPages,
  {
    form: {
      shown,
      fields,
      version,
      settings: { showProgress },
    },
    token,
  }: OpenForm,
): ShownForm {
  const { publicSettings: settings, title, description, config } = shown;
  const submitLabel = settings.submitLabel ?? (shown.type === 'scheduling' ? wordsFor(settings.locale).words.booking.confirm : undefined);
  const proof = config.requireAltcha ? proofFiles(pages.assets, settings.locale) : undefined;
  return {
    path: pathOf(pages, token),
    operations: `${pages.base}/api/v1/interfaces/public/${token}`,
    title,
    ...(description === undefined ? {} : { description }),
    fields,
    locale: settings.locale,
    version,
    ...(submitLabel === undefined ? {} : { submitLabel }),
    showProgress,
    drafts: config.drafts,
    ...(proof ? { proof } : {}),
  };
}

/** Fields whose scripts ask the service for something while somebody answers. */
const sendsAlone: ReadonlySet<string> = new Set(['file', 'signature', 'address']);

/** A page at the address of a form, in the form's language and its team's name. */
export function pageOfForm(
  pages: PublicPages,
  { form: { shown, by, settings, preview }, token }: OpenForm,
  body: Html,
  { form, ...more }: { form?: boolean; wide?: boolean } = {},
): PublicPage {
  const { locale, locales } = shown.publicSettings;
  return {
    locale,
    title: `${shown.title} · ${by.name}`,
    brand: by.logo === undefined ? by : { ...by, logo: `${pages.base}${by.logo}` },
    path: pathOf(pages, token),
    theme: settings.theme,
    languages: { locales, form: form === true },
    ...(preview ? {} : { report: `${pathOf(pages, token)}/report?${new URLSearchParams({ locale }).toString()}` }),
    framedBy: settings.embedOrigins ?? [],
    // What a script sends by itself, such as files, is for forms that are published.
    ...(preview && shown.fields.some(({ type }) => sendsAlone.has(type)) ? {} : { script: 'page' as const }),
    body: preview
      ? html`<p class="notice">${wordsFor(locale).words.preview}</p>
          ${body}`
      : body,
    ...more,
  };
}
