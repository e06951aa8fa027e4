import { type Answers, type Field, isRecord, ownMember } from './field.ts';

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((one) => typeof one === 'string');

/** Returns the uploads in the answers, with their fields. */
export function uploadsIn(fields: readonly Field[], values: Answers): { field: string; fileId: string }[] {
  return fields.flatMap(({ id, type }) => {
    const value = ownMember(values, id);
    if (type === 'signature') return isRecord(value) ? texts(value.fileId).map((fileId) => ({ field: id, fileId })) : [];
    return type === 'file' ? texts(value).map((fileId) => ({ field: id, fileId })) : [];
  });
}

/** Returns the registry records in the answers, with their fields. */
export function recordsIn(fields: readonly Field[], values: Answers): { field: string; registryTypeId: string; recordId: string }[] {
  return fields.flatMap(({ id, type, registryTypeId }) => {
    if (type !== 'registry' || registryTypeId === undefined) return [];
    return texts(ownMember(values, id)).map((recordId) => ({ field: id, registryTypeId, recordId }));
  });
}
