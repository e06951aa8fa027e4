import { type Answers, type Field, isRecord, ownMember } from './field.ts';

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => typeof one === 'string');

/** The uploads that answers name, each with the field that names it. */
export function uploadsIn(fields: readonly Field[], values: Answers): { field: string; fileId: string }[] {
  return fields.flatMap(({ id, type }) => {
    const value = ownMember(values, id);
    if (type === 'signature') return isRecord(value) ? texts(value.fileId).map((fileId) => ({ field: id, fileId })) : [];
    return type === 'file' ? texts(value).map((fileId) => ({ field: id, fileId })) : [];
  });
}

/** The records of registries that answers name, each with the field that names it. */
export function recordsIn(fields: readonly Field[], values: Answers): { field: string; registryTypeId: string; recordId: string }[] {
  return fields.flatMap(({ id, type, registryTypeId }) => {
    if (type !== 'registry' || registryTypeId === undefined) return [];
    return texts(ownMember(values, id)).map((recordId) => ({ field: id, registryTypeId, recordId }));
  });
}
