/** Mappings: sources of values, their evaluation, and their comparison with the schema of a target. */
export { checkMappingShape, checkSource, checkWhen, countSources, type SourceCount } from './check.ts';
export { compareMapping, edgeAnswers, type MappingTarget, warningsOf } from './compare.ts';
export { contains } from './containment.ts';
export { inReason, type MappingFinding, withExample } from './finding.ts';
export { schemaOfFields } from './target.ts';
export {
  answerSchema,
  fieldOfPart,
  inputOf,
  inputsOfForm,
  type MappingInput,
  type MappingInputs,
  nameInForm,
  partOfInput,
  valuesOfSubmission,
} from './inputs.ts';
export {
  applyMapping,
  type Mapping,
  mappingLimits,
  type MappingValues,
  namesInSource,
  partOf,
  plainText,
  type ValueSource,
  valueOfSource,
} from './source.ts';
export { unknownValues } from './unknown-values.ts';
