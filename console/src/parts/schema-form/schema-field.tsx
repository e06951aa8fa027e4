import { Button, Checkbox, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useTexts } from '../../texts/texts.ts';
import {
  isRequired,
  isValues,
  labelOf,
  numberOf,
  propertiesOf,
  resolved,
  type FormSchema,
  startOf,
  textOf,
  type FormValues,
} from './schema.ts';
import styles from './schema-form.module.css';
import { schemaFormTexts } from './texts.ts';

type FieldProps = {
  /** The whole schema, for references. */
  root: FormSchema;
  schema: FormSchema;
  /** Absent: the form itself. */
  name?: string;
  value: unknown;
  /** The value of the example, as a hint. */
  example: unknown;
  required: boolean;
  change: (value: unknown) => void;
};

/** The field of a value in the schema of a template. */
export function SchemaField(props: FieldProps): JSX.Element {
  const schema = resolved(props.schema, props.root);
  const known = { ...props, schema };
  if (schema.type === 'object' || schema.properties !== undefined) return <ObjectField {...known} />;
  if (schema.type === 'array') return <ArrayField {...known} />;
  return <SimpleField {...known} />;
}

function ObjectField({ root, schema, name, value, example, required, change }: FieldProps): JSX.Element {
  const words = useTexts(schemaFormTexts);
  const label = labelOf(name ?? '', schema);
  const values: FormValues = isValues(value) ? value : {};
  const hints: FormValues = isValues(example) ? example : {};
  const fields = propertiesOf(schema).map(([key, part]) => (
    <SchemaField
      key={key}
      root={root}
      schema={part}
      name={key}
      value={values[key]}
      example={hints[key]}
      required={isRequired(schema, key)}
      change={(next) => change({ ...values, [key]: next })}
    />
  ));
  if (name === undefined) return <>{fields}</>;
  if (!required && value === undefined)
    return <Checkbox label={words.include(label)} checked={false} onChange={() => change(startOf(schema, root) ?? {})} />;
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {!required && <Checkbox label={words.include(label)} checked onChange={() => change(undefined)} />}
      {fields}
    </fieldset>
  );
}

function ArrayField({ root, schema, name = '', value, example, change }: FieldProps): JSX.Element {
  const words = useTexts(schemaFormTexts);
  const label = labelOf(name, schema);
  const items: unknown[] = Array.isArray(value) ? value : [];
  const part = isValues(schema.items) ? (schema.items as FormSchema) : {};
  const hint = Array.isArray(example) ? example[0] : undefined;
  const isFull = items.length >= (numberOf(schema.maxItems) ?? Number.POSITIVE_INFINITY);
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {items.map((item, at) => (
        // Entries have no identifier; they change only at the end and by removal.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={styles.entry}>
          <SchemaField
            root={root}
            schema={part}
            name={words.entry(at + 1)}
            value={item}
            example={hint}
            required
            change={(next) => change(items.with(at, next))}
          />
          <Button variant="subtle" size="compact-sm" onClick={() => change(items.toSpliced(at, 1))}>
            {words.removeEntry(at + 1)}
          </Button>
        </div>
      ))}
      {!isFull && (
        <Button variant="default" size="xs" onClick={() => change([...items, startOf(part, root) ?? ''])}>
          {words.addEntry(label)}
        </Button>
      )}
    </fieldset>
  );
}

/** Texts longer than this have several lines. */
const longText = 250;

function SimpleField({ schema, name = '', value, example, required, change }: FieldProps): JSX.Element {
  const words = useTexts(schemaFormTexts);
  const label = labelOf(name, schema);
  const hint = typeof example === 'string' || typeof example === 'number' ? words.example(String(example)) : undefined;
  const shared = { label, description: textOf(schema.description), required };
  if (schema.type === 'boolean')
    return (
      <Checkbox
        label={label}
        description={textOf(schema.description)}
        checked={value === true}
        onChange={({ currentTarget: { checked } }) => change(checked)}
      />
    );
  if (Array.isArray(schema.enum))
    return (
      <Select
        {...shared}
        data={schema.enum.map(String)}
        value={textOf(value) ?? null}
        clearable={!required}
        onChange={(next) => change(next ?? undefined)}
      />
    );
  if (schema.type === 'integer' || schema.type === 'number')
    return (
      <NumberInput
        {...shared}
        placeholder={hint}
        value={numberOf(value) ?? ''}
        min={numberOf(schema.minimum)}
        max={numberOf(schema.maximum)}
        hideControls
        allowDecimal={schema.type === 'number'}
        onChange={(next) => change(typeof next === 'number' ? next : undefined)}
      />
    );
  const text = {
    ...shared,
    placeholder: hint,
    value: textOf(value) ?? '',
    minLength: numberOf(schema.minLength),
    maxLength: numberOf(schema.maxLength),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => change(currentTarget.value),
  };
  if ((text.maxLength ?? 0) > longText) return <Textarea {...text} rows={3} resize="vertical" />;
  return <TextInput {...text} type={schema.format === 'date' ? 'date' : 'text'} pattern={textOf(schema.pattern)} />;
}
