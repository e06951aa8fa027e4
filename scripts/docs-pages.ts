import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { type DocPage, pageLink, type Section } from '../src/platform/http/documentation/pages.ts';
import { version } from '../src/platform/entry-points.ts';
import { escapeHtml } from '../src/platform/text.ts';

const folder = new URL('../docs/', import.meta.url);
/** Pages name files of the project, which are not on the server. */
const repository = `https://github.com/chancery/chancery/blob/v${version}/`;

/** Returns the files of the documentation relative to its folder, in order of their names. */
const docFiles = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => posix.join(parentPath, name).slice(posix.join(decodeURIComponent(folder.pathname), '/').length))
    .toSorted();

/** Returns the identifier of a heading as GitHub forms it, so that links work in both places. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** Returns the text of tokens without markup. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table')
        return [token.header, ...token.rows]
          .flat()
          .map((cell: Tokens.TableCell) => textOf(cell.tokens))
          .join(' ');
      if (token.type === 'list') return token.items.map((item: Tokens.ListItem) => textOf(item.tokens)).join(' ');
      if (token.type === 'html') return '';
      return 'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? String(token.text) : ' ';
    })
    .join('');
}

/** Returns the address of a link on a page of the documentation. */
function addressOf(file: string, href: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(href)) return href;
  const [path = '', fragment] = href.split('#', 2);
  const hash = fragment === undefined ? '' : `#${fragment}`;
  if (path === '') return hash;
  const target = posix.join('docs', posix.dirname(file), path);
  if (!`${target}/`.startsWith('docs/')) return repository + target + hash;
  return pageLink + target.slice('docs/'.length).replace(/(?:(?:^|\/)README)?\.md$/, '') + hash;
}

/** Renders a Markdown file of the documentation. Markup in it is shown as text. */
function render(file: string): DocPage {
  const sections: Section[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = textOf(tokens);
        const [slug, before] = [slugOf(title), taken.get(slugOf(title)) ?? 0];
        taken.set(slug, before + 1);
        const id = before === 0 ? slug : `${slug}-${before}`;
        sections.push({ title, slug: id, text: '' });
        return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(addressOf(file, href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }) => `<img src="${escapeHtml(addressOf(file, href))}" alt="${escapeHtml(text)}">`,
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(readFileSync(new URL(file, folder), 'utf8'));
  const markup = marked.parser(tokens);
  let place = -1;
  for (const token of tokens) {
    if (token.type === 'heading') place += 1;
    const section = sections[place];
    if (section && token.type !== 'heading') section.text += ` ${textOf([token])}`;
  }
  for (const section of sections) section.text = section.text.replaceAll(/\s+/g, ' ').trim();
  return {
    path: file.replace(/(?:(?:^|\/)README)?\.md$/, ''),
    title: sections[0]?.title ?? file,
    markup,
    sections,
  };
}

/** Renders all pages of the documentation. */
export const renderDocs = (): DocPage[] =>
  docFiles()
    .filter((file) => file.endsWith('.md'))
    .map(render);
