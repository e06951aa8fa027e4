import { type Content, type Html, html } from '../../../platform/http/html.ts';
import { seal, type Tone } from './marks.ts';

export type Message = {
  mark: Content;
  /** The style: `off` for missing or denied, `bad` for not authentic. */
  tone?: Tone | undefined;
  title: string;
  text?: string | undefined;
  more?: Content;
};

/** A page with one message, such as thanks or an error. Its heading gets the focus when it replaces a form. */
export function message({ mark, tone, title, text, more }: Message): Html {
  return html`<div class="message">
    ${seal(mark, tone)}
    <h1 tabindex="-1" autofocus>${title}</h1>
    ${text && html`<p class="lead">${text}</p>`}${more}
  </div>`;
}

/** A list of names with their values. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Html {
  return html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        html`<div class="fact">
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A form with one button. */
export function pressed(
  action: string,
  label: string,
  { style = 'second', values = {} }: { style?: string; values?: Record<string, string> } = {},
): Html {
  return html`<form method="post" action="${action}">
    ${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="button ${style}">${label}</button>
  </form>`;
}
