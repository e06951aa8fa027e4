/**
 * The engine of fields for the server and for page scripts: visible fields, normalized answers, errors and their texts.
 * It imports nothing from other folders, and uses no API that only Node or only browsers have.
 */
export { answerText, recordText } from './answer-text.ts';
export { type Breach, type BrokenRule, isIdentifier, type Matches } from './checks.ts';
export { countries } from './codes.ts';
export {
  type Comparison,
  comparisonsIn,
  type ConditionResult,
  evaluateCondition,
  fieldsMissing,
  fieldsNamed,
  holds,
  placeOf,
} from './conditions.ts';
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
export { conditionText } from './condition-text.ts';
