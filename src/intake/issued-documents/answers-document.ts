import { readFileSync } from 'node:fs';
import { encodeQR } from 'qr';
import type { Manuscript } from '../../platform/typesetting/typesetter.ts';
import { captionsOf } from './captions.ts';
import { directionOf, prepareText } from './script-runs.ts';

/** An answer with its label. `none` means that the question was visible and not answered. */
export type DocumentAnswer =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; label: string; text: string }
  | { kind: 'boolean'; label: string; value: boolean }
  | { kind: 'consent'; label: string; given: boolean }
  | { kind: 'list'; label: string; items: readonly string[] }
  | { kind: 'table'; label: string; columns: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: 'files'; label: string; files: readonly { name: string; size: number; sha256?: string }[] }
  | { kind: 'image'; label: string; image: Picture }
  | { kind: 'none'; label: string };

/** A PNG or JPEG image with its alternative text. */
export type Picture = { bytes: Uint8Array; type: 'png' | 'jpg'; alt: string };

/** The answers to a form, prepared for typesetting. The texts of users can be in any language. */
export type AnswersDocument = {
  /** The locale of captions, dates and numbers, such as `de-AT`. */
  locale: string;
  /** The IANA time zone of the times. */
  timeZone: string;
  /** The name of the issuing team. */
  team: string;
  /** A colour `#rrggbb`. It is ignored if its contrast on white is too low. */
  accent?: string;
  logo?: Picture;
  title: string;
  description?: string;
  submittedAt: Date;
  /** The reference of the submission for the team. */
  reference: string;
  version?: number;
  /** The booked time of the submission, in the time zone of the person who booked. */
  booked?: { start: Date; end: Date; timeZone: string };
  /** The pages of the form. */
  sections: readonly { title?: string; answers: readonly DocumentAnswer[] }[];
};

/** The verification code of the document, and the URL to verify it. */
export type Verification = { code: string; url: string };

const template = readFileSync(new URL('templates/answers.typ', import.meta.url), 'utf8');
const usualAccent = '#1f4e79';
/** Longer texts are placed below their label. */
const longText = 240;

/** Returns the contrast of a colour with white (WCAG 2.2, relative luminance). */
function contrastWithWhite(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}

function readableAccent(colour: string | undefined): string {
  return colour !== undefined && /^#[\da-f]{6}$/i.test(colour) && contrastWithWhite(colour) >= 4.5 ? colour : usualAccent;
}

function sizeText(bytes: number, locale: string): string {
  const [value, unit] = bytes < 1_000 ? [bytes, 'byte'] : bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value);
}

/** Returns relative column widths: the longest cell of each column, within limits. */
function widthsOf({ columns, rows }: Extract<DocumentAnswer, { kind: 'table' }>): number[] {
  return columns.map((column, at) => Math.min(40, Math.max(6, column.length, ...rows.map((row) => row[at]?.length ?? 0))));
}

/** Returns the pages of the form, with the booked time before the first answer. */
function withBooked({ booked, sections, locale }: AnswersDocument, label: string): AnswersDocument['sections'] {
  if (!booked) return sections;
  const { start, end, timeZone } = booked;
  const format = new Intl.DateTimeFormat(locale, { ...wholeTime, weekday: 'long', timeZone });
  const time: DocumentAnswer = { kind: 'text', label, text: format.formatRange(start, end) };
  const [first = { answers: [] }, ...others] = sections;
  return [{ ...first, answers: [time, ...first.answers] }, ...others];
}

const wholeTime = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

type Setting = {
  locale: string;
  captions: ReturnType<typeof captionsOf>['captions'];
  say: (text: string) => ReturnType<typeof prepareText>;
  picture: (picture: Picture) => { path: string; alt: string };
};

/** Converts an answer to the data of the template. */
function setAnswer(answer: DocumentAnswer, { locale, captions, say, picture }: Setting): object {
  switch (answer.kind) {
    case 'heading':
      return { ...answer, text: say(answer.text) };
    case 'text':
      return { kind: 'text', label: say(answer.label), text: say(answer.text), long: answer.text.length > longText };
    case 'boolean':
      return { kind: 'text', label: say(answer.label), text: say(answer.value ? captions.yes : captions.no), long: false };
    case 'list':
      return { kind: 'list', label: say(answer.label), items: answer.items.map(say) };
    case 'table':
      return {
        kind: 'table',
        label: say(answer.label),
        widths: widthsOf(answer),
        columns: answer.columns.map(say),
        rows: answer.rows.map((row) => answer.columns.map((_, at) => say(row[at] ?? ''))),
      };
    case 'files':
      return {
        kind: 'files',
        label: say(answer.label),
        files: answer.files.map(({ name, size, ...rest }) => ({ name: say(name), size: sizeText(size, locale), ...rest })),
      };
    case 'image':
      return { kind: 'image', label: say(answer.label), ...picture(answer.image) };
    default:
      return { ...answer, label: say(answer.label) };
  }
}

/** Builds the template and the data of a submission. The same document results in the same bytes. */
export function answersManuscript(document: AnswersDocument, verification: Verification): Manuscript {
  const { locale } = document;
  const { captions } = captionsOf(locale);
  const { language, region, script } = new Intl.Locale(locale).maximize();
  const say = (text: string) => prepareText(text, language);
  const pictures: Record<string, Uint8Array> = {};
  const picture = ({ bytes, type, alt }: Picture) => {
    const path = `pictures/${Object.keys(pictures).length}.${type}`;
    pictures[path] = bytes;
    return { path, alt };
  };
  const setting = { locale, captions, say, picture };

  const at = document.submittedAt;
  const when = new Intl.DateTimeFormat(locale, { ...wholeTime, timeZone: document.timeZone }).format(at);
  const data = {
    lang: language,
    dir: directionOf(language),
    arabic: script === 'Arab',
    paper: ['US', 'CA', 'MX', 'PH', 'CO', 'CL'].includes(region ?? '') ? 'us-letter' : 'a4',
    accent: readableAccent(document.accent),
    team: say(document.team),
    ...(document.logo ? { logo: picture(document.logo) } : {}),
    title: say(document.title),
    ...(document.description ? { description: say(document.description) } : {}),
    date: {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
    },
    captions,
    facts: [
      { label: captions.submitted, value: say(when), wide: true, exact: false },
      { label: captions.reference, value: say(document.reference), wide: false, exact: true },
      ...(document.version === undefined
        ? []
        : [{ label: captions.version, value: say(String(document.version)), wide: false, exact: false }]),
    ],
    sections: withBooked(document, captions.booked).map(({ title, answers }) => ({
      ...(title === undefined ? {} : { title: say(title) }),
      answers: answers.map((answer) => setAnswer(answer, setting)),
    })),
    verification: { ...verification, shownUrl: verification.url.replace(/^https?:\/\//, ''), alt: captions.code },
  };
  const code = encodeQR(verification.url, 'svg', { ecc: 'medium', border: 2 });
  return { files: { 'main.typ': template, 'code.svg': code, ...pictures }, data };
}
