import type { Comparison } from './conditions.ts';
import { type Amount, type Condition, isRecord, type Scalar } from './field.ts';

const symbols = { eq: '=', ne: '≠', gt: '>', lt: '<' } as const;

const valueText = (value: Scalar | Amount): string => (isRecord(value) ? `${value.amount} ${value.currency}` : String(value));

function comparisonText(comparison: Comparison): string {
  const { field } = comparison;
  if ('empty' in comparison) return comparison.empty ? `${field} has no answer` : `${field} has an answer`;
  if ('in' in comparison) return `${field} is one of ${comparison.in.map(valueText).join(', ')}`;
  const [operator = '=', value = ''] = Object.entries(symbols).flatMap(([name, symbol]) => {
    const given = (comparison as Readonly<Record<string, Scalar | Amount | undefined>>)[name];
    return given === undefined ? [] : [symbol, valueText(given)];
  });
  return `${field} ${operator} ${value}`;
}

/** Returns a condition as a text for people. */
export function conditionText(condition: Condition): string {
  if ('not' in condition) return `not (${conditionText(condition.not)})`;
  if (!('all' in condition) && !('any' in condition)) return comparisonText(condition);
  const [parts, word] = 'all' in condition ? [condition.all, ' and '] : [condition.any, ' or '];
  return parts.map((one) => ('all' in one || 'any' in one ? `(${conditionText(one)})` : conditionText(one))).join(word);
}
