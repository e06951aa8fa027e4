export {
  checkMappingShape,
  checkSource,
  checkWhen,
  compareMapping,
  countSources,
  edgeAnswers,
  type MappingFinding,
  type MappingTarget,
  type PlaceFit,
  type SourceCount,
  warningsOf,
  withExample,
} from './check.ts';
export { contains, type Fit } from './containment.ts';
export {
  answerSchema,
  type FormOfMapping,
  inputOf,
  inputsOfForm,
  type MappingInput,
  type MappingInputs,
  partOfInput,
  type SubmissionOfMapping,
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
  type Source,
  valueOfSource,
} from './source.ts';
