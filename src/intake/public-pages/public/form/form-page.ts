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

/** A form with the token of its link. */
export type OpenForm = { form: PageForm; token: string };

/** Returns the path of a form. */
export const pathOf = ({ base, formsAt }: PublicPages, token: string): string => `${base}${formsAt}/${token}`;

/** The state of a form in progress: the current step, the answers and their errors. */
export type InProgress = Progress & {
  answers: Answers;
  errors?: readonly FieldErrorText[] | undefined;
  fileNames?: ReadonlyMap<string, string>;
  records?: ReadonlyMap<string, readonly OfferedRecord[]>;
  /** The search texts of registry fields, by field id. */
  searches?: ReadonlyMap<string, string>;
  /** Content that appears above the questions, such as the chosen time. */
  over?: Html;
};

/** Builds the page of a form with its questions. */
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

/** Field types whose scripts send requests before the form is submitted. */
const sendsAlone: ReadonlySet<string> = new Set(['file', 'signature', 'address']);

/** Builds a page at the address of a form, in its language and with the brand of its team. */
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
    // Previews do not support the scripts that send files and other requests.
    ...(preview && shown.fields.some(({ type }) => sendsAlone.has(type)) ? {} : { script: 'page' as const }),
    body: preview
      ? html`<p class="notice">${wordsFor(locale).words.preview}</p>
          ${body}`
      : body,
    ...more,
  };
}
