/** The state of the templates of the outputs at publication, by output: a version of a document template or a hash of a workflow template. */
export type OutputStates = Record<string, number | string | null>;
