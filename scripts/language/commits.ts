/** The rules for the subject of a commit. */
import { proseFindings } from './prose.ts';
import { type Finding, verbs } from './rules.ts';

export const maxSubjectLength = 72;

export interface Commit {
  hash: string;
  subject: string;
}

/** `Rename heir to successor` and a quoted subject name the old term on purpose. */
const namesOldTerms = /^(Rename|Replace|Revert) /;

export function subjectFindings({ hash, subject }: Commit): Finding[] {
  const finding = (rule: string, message: string): Finding => ({ area: 'commits', rule, file: hash, line: 1, lastLine: 1, message });
  const found: Finding[] = [];
  const [verb = ''] = subject.split(' ');
  if (!verbs.has(verb))
    found.push(
      finding('subject not imperative', `begin with a verb of scripts/language/verbs.txt, as in “Check the limit first”: “${subject}”`),
    );
  if (subject.length > maxSubjectLength && verb !== 'Revert')
    found.push(finding(`subject over ${maxSubjectLength} characters`, `${subject.length} characters: “${subject}”`));
  const text = subject.replace(/`[^`]*`/g, 'CODE');
  const prose = namesOldTerms.test(subject) ? [] : proseFindings('commits', { file: hash, line: 1, text });
  return [...found, ...prose.filter(({ rule }) => rule === 'term')];
}
