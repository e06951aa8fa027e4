/** Mappings: sources of values, their evaluation, and their comparison with the schema of a target. */
export {
  checkMappingShape,
  checkSource,
  checkWhen,
  compareMapping,
  countSources,
  edgeAnswers,
  type MappingFinding,
  type SourceCount,
  warningsOf,
  withExample,
} from './check.ts';
export { contains } from './containment.ts';
export { answerSchema, inputOf, inputsOfForm, type MappingInput, type MappingInputs, partOfInput, valuesOfSubmission } from './inputs.ts';
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
