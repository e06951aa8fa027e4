import { escapeHtml } from '../text.ts';
import { attributeKind, type Hole, planOf } from './html-plan.ts';

/** Markup that is safe to stand in a page. Made by {@link html}, so that text is never taken for markup. */
export class Html {
  readonly markup: string;
  private constructor(markup: string) {
    this.markup = markup;
  }
  /** Markup that our own code vouches for. */
  static trusted(markup: string): Html {
    return new Html(markup);
  }
}

type AttributeValue = string | number | boolean | null | undefined;

/** Attributes that an element has or has not: see {@link attributes}. */
class Attributes {
  readonly values: Readonly<Record<string, AttributeValue>>;
  constructor(values: Readonly<Record<string, AttributeValue>>) {
    this.values = values;
  }
}

/** Attributes for a hole among those of an element: `true` stands without a value; what is false, null or undefined is left out. */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Attributes {
  return new Attributes(values);
}

/** What is put between tags: text, which is escaped, markup, or a list of both. What is false, null or undefined is nothing. */
export type Content = string | number | Html | false | null | undefined | readonly Content[];
type Value = Content | Attributes;

/**
 * A template of markup that knows where each of its holes stands: text and values of attributes are escaped, addresses are
 * looked at, and a hole in a place that no value is safe in (an attribute without quotes, `on…`, `style`, a script, the name
 * of a tag) throws when the template is used for the first time.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const holes = planOf(strings);
  let markup = strings[0] ?? '';
  let address = '';
  for (const [place, hole] of holes.entries()) {
    const value = values[place];
    if (hole.kind === 'address') {
      address += hole.before + plain(value);
      if (hole.after !== undefined) {
        checkAddress(address + hole.after, hole.loads);
        address = '';
      }
    }
    markup += filled(hole, value) + (strings[place + 1] ?? '');
  }
  return Html.trusted(markup);
}

function filled(hole: Hole, value: Value): string {
  switch (hole.kind) {
    case 'content':
      return content(value);
    case 'text': {
      const text = plain(value);
      return (hole.leads && /^[\r\n]/.test(text) ? '\n' : '') + escapeHtml(text);
    }
    case 'attributes':
      return attributeList(hole.element, value);
    default:
      return escapeHtml(plain(value));
  }
}

function content(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return (value as readonly Content[]).map(content).join('');
  return escapeHtml(plain(value));
}

/** A value as text, where markup would be none. */
function plain(value: Value): string {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Error('template: only text may stand here');
}

function attributeList(element: string, value: Value): string {
  if (!(value instanceof Attributes)) throw new Error(`template: among the attributes of <${element}> only attributes() may stand`);
  return Object.entries(value.values)
    .filter(([, one]) => one !== false && one !== null && one !== undefined)
    .map(([name, one]) => attribute(element, name, one === true ? '' : String(one)))
    .join(' ');
}

function attribute(element: string, name: string, value: string): string {
  const kind = attributeKind(element, name);
  if (kind === 'never' || !/^[a-z][a-z\d-]*$/.test(name)) throw new Error(`template: <${element}> may not be given ${name}`);
  if (kind !== 'value') checkAddress(value, kind === 'loaded');
  return value === '' ? name : `${name}="${escapeHtml(value)}"`;
}

const followed = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Whether an address may be followed: one of the service's own, or of a scheme that runs no script. */
export function isSafeLink(address: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(asBrowsersRead(address))?.[0];
  return scheme === undefined || followed.has(scheme.toLowerCase());
}

/** Browsers leave out what stands around an address, and tabs and line feeds in it (WHATWG URL 4.4). */
const asBrowsersRead = (address: string) =>
  address
    // eslint-disable-next-line no-control-regex
    .replaceAll(/^[\u0000-\u0020]+|[\t\n\r]/g, '')
    .replaceAll('\\', '/');

/** What a page loads, and what it sends to, is this service's own. */
const isOwn = (address: string) => !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(asBrowsersRead(address));

function checkAddress(address: string, loads: boolean): void {
  if (loads ? !isOwn(address) : !isSafeLink(address)) throw new Error('template: this address may not stand in a page');
}

/** Data for a page's script: JSON that cannot end the element it stands in. `id` is our own text. */
export function jsonBlock(id: string, value: unknown): Html {
  return verbatim('script', ` type="application/json" id="${id}"`, JSON.stringify(value).replaceAll('<', String.raw`\u003c`));
}

/** An element whose text is to the byte what it is given, as its hash demands: no template, which formatting may indent. */
export function verbatim(element: 'script' | 'style', attributesText: string, text: string): Html {
  return Html.trusted(`<${element}${attributesText}>${text}</${element}>`);
}

/** A picture of the service's own in a mail, which has no address that a path could stand behind. `height` in pixels. */
export function mailedPicture(address: string, alt: string, height: number): Html {
  if (!/^https?:\/\/[^\s"<>]+$/.test(address)) throw new Error('template: this address may not stand in a mail');
  return Html.trusted(
    `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}" height="${height}" style="height:${height}px;max-width:100%;object-fit:contain">`,
  );
}

/** Text with its addresses of web pages as links, written out. The punctuation of a sentence is no part of an address. */
export function linked(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"“”„«»]+)/);
  return html`${pieces.map((piece, place) => {
    if (place % 2 === 0) return piece;
    const address = withoutPunctuation(piece);
    return html`<a href="${address}">${address}</a>${piece.slice(address.length)}`;
  })}`;
}

/** An address without the punctuation behind it. A closing bracket belongs to the address where the address opens it. */
function withoutPunctuation(address: string): string {
  const end = /[.,;:!?'’…。、\])}]$/.exec(address)?.[0];
  const opening = { ')': '(', ']': '[', '}': '{' }[end ?? ''];
  const isClosing = opening !== undefined && address.split(opening).length > address.slice(0, -1).split(end ?? '').length;
  return end === undefined || isClosing ? address : withoutPunctuation(address.slice(0, -1));
}
