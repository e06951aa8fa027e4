import { readFileSync } from 'node:fs';
import { attributes, type Html, html } from '../../platform/http/html.ts';

const read = (file: string) => readFileSync(new URL(`browser/${file}`, import.meta.url), 'utf8');

/** Returns the script of a page with forms as one module, after the shared code, so that the page loads no other files. */
export const scriptOf = (file: string): string =>
  `${read('forms.js').replaceAll(/^export /gm, '')}\n${read(file).replace(/^import \{[^}]+\} from '\.\/forms\.js';$/m, '')}`;

type InputField = { id: string; name: string; label: string; type?: string; autocomplete: string; hint?: string; repeats?: string };

/** A field with its label before it. The hint and the error are linked, so that screen readers read them with the field. */
export function field({ id, name, label, type = 'text', autocomplete, hint, repeats }: InputField): Html {
  return html`<label for="${id}">${label}</label>
    ${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      required
      aria-describedby="${hint === undefined ? '' : `${id}-hint `}${id}-error"
      ${attributes({ 'data-repeats': repeats, ...(type === 'text' && name === 'code' ? { autocapitalize: 'off', spellcheck: 'false' } : {}) })}
    />
    <p class="error" id="${id}-error"></p>`;
}

export function form(button: string, fields: Html): Html {
  return html`<form method="post" novalidate>
    <p class="alert" role="alert"></p>
    ${fields}<button type="submit">${button}</button>
  </form>`;
}

export const show = (label: string) => html`<label class="check"><input type="checkbox" /> ${label}</label>`;

export function view(name: string, heading: string, content: Html): Html {
  return html`<section data-view="${name}" hidden>
    <h1 tabindex="-1">${heading}</h1>
    ${content}
  </section>`;
}
