/** Markdown, also in comments: keeps the sentences, drops code and addresses. */
import { blockStart } from './prose.ts';

const blank = (text: string): string => blockStart + text.replace(/[^\n]/g, '');
const shortened = (text: string): string => `CODE${text.replace(/[^\n]/g, '')}`;

/** The prose of a Markdown text with the same number of lines. */
export function markdownProse(markdown: string): string {
  return markdown
    .replace(/^---\n[\s\S]*?\n---\n/, blank)
    .replace(/^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1[ \t]*$/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/(`+)(?:[^`\n]|\n(?![ \t]*\n))+?\1(?!`)/g, shortened)
    .replace(/^[ \t]*\[[^\]\n]+\]:.*$/gm, blank)
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\bhttps?:\/\/[^\s)>\]]+/g, 'URL')
    .replace(/^[ \t]*\|?[ \t|:-]*-{3}[ \t|:-]*$/gm, blank)
    .replace(/^[ \t]*\|.*$/gm, (row) => row.replaceAll('|', blockStart))
    .replace(/^#+ (.*)$/gm, `${blockStart}$1${blockStart}`)
    .replace(/^[ \t]*(?:[-*+]|\d+\.)[ \t]/gm, blockStart)
    .replace(/^[ \t]*@\w+(?=\s|$)/gm, blockStart)
    .replace(/\*\*|__/g, '');
}
