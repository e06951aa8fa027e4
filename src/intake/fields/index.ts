import { defineDomain } from '../../platform/domain.ts';

export {
  type AnswerError,
  type Answers,
  answersFromForm,
  answerText,
  type Breach,
  type CheckedAnswers,
  checkAnswers as checkWith,
  chooseLocale,
  type Comparison,
  comparisonsIn,
  type Condition,
  type ConditionResult,
  conditionText,
  countries,
  evaluateCondition,
  type Field,
  type FieldType,
  fieldTypes,
  fieldsMissing,
  fieldsNamed,
  holds,
  isIdentifier,
  isList,
  localAmount,
  messageLocales,
  messageOf,
  numberOf,
  type Option,
  optionsById,
  placeOf,
  recordsIn,
  type ResolvedField,
  recordText,
  resolveFields,
  resolveText,
  type Text,
  uploadsIn,
  type Validation,
  visibleFields,
} from './engine/index.ts';
export { checkAnswers, collectTexts, hasPatterns } from './answers.ts';
export { checkCondition, checkConditions } from './condition-check.ts';
export { type CheckedDefinition, checkFields, type Languages, textGaps } from './definition.ts';
export { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
export { type DefinitionError, definitionLimits } from './limits.ts';
export { type FormLocales, localesOf, usualLocale } from './locales.ts';
export {
  applyMapping,
  checkMappingShape,
  checkSource,
  checkWhen,
  compareMapping,
  countSources,
  edgeAnswers,
  inReason,
  fieldOfPart,
  inputOf,
  inputsOfForm,
  type Mapping,
  type MappingFinding,
  type MappingInput,
  type MappingInputs,
  mappingLimits,
  type MappingTarget,
  type MappingValues,
  nameInForm,
  namesInSource,
  partOf,
  partOfInput,
  plainText,
  schemaOfFields,
  type ValueSource,
  type SourceCount,
  unknownValues,
  valueOfSource,
  valuesOfSubmission,
  warningsOf,
  withExample,
} from './mapping/index.ts';
export { type PatternBudget, type Patterns, PatternTexts } from './patterns.ts';
export { developerMessageOf } from './developer-messages.ts';
export { byLocale, condition, field, fieldId, fieldMembers, fields, text } from './schemas.ts';

/** Fields of forms and registries: one definition for validation and visibility, on the server and in pages. */
export const domain = defineDomain({ name: 'fields' });
