/**
 * What the server and the page's script both do with a definition: which fields are shown, what is kept of the answers, what is wrong
 * with them, in which words. Nothing here imports anything from outside this folder, nor uses what only one of the two has.
 */
export { answerText, recordText } from './answer-text.ts';
export { type BrokenRule, isIdentifier, type Matches } from './checks.ts';
export { countries } from './codes.ts';
export { type ConditionResult, evaluateCondition, fieldsNamed, holds } from './conditions.ts';
export {
  type Answers,
  type Condition,
  type Field,
  type FieldType,
  fieldTypes,
  isList,
  type Option,
  ownMember,
  type Scalar,
  type Text,
  type Validation,
} from './field.ts';
export { answersFromForm, localAmount } from './form-values.ts';
export { messageLocales, messageOf } from './messages.ts';
export { numberOf } from './numbers.ts';
export { optionsById } from './options.ts';
export { recordsIn, uploadsIn } from './references.ts';
export { chooseLocale, type ResolvedField, resolveFields, resolveText } from './texts.ts';
export { type AnswerError, type CheckedAnswers, checkAnswers, judge } from './validation.ts';
export { visibleFields } from './visibility.ts';
