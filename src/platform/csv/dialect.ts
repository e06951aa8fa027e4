import { Type } from 'typebox';
import { problems } from '../problems.ts';
import { encodings } from './encoding.ts';

/** The format of values in a CSV file, which differs between countries and programs. */
export type CellFormat = {
  /** Default: `point`. */
  decimal?: DecimalSign | undefined;
  grouping?: Grouping | undefined;
  dateOrder?: DateOrder | undefined;
  /** The words for true and false, such as `ja|nein`. */
  booleans?: string | undefined;
};
export type DecimalSign = 'point' | 'comma';
export type Grouping = 'none' | 'point' | 'comma' | 'apostrophe' | 'space';
export type DateOrder = 'ymd' | 'dmy' | 'mdy';
export type Delimiter = 'comma' | 'semicolon' | 'tab';

export const delimiters: Readonly<Record<Delimiter, string>> = { comma: ',', semicolon: ';', tab: '\t' };
export const decimalSigns: Readonly<Record<DecimalSign, string>> = { point: '.', comma: ',' };

/** Query or body members that describe the cells of a CSV file, for imports and exports. */
export const cellOptions = {
  decimal: Type.Optional(Type.Enum(['point', 'comma'], { description: 'Decimal sign: `1234.5` by default, or `1234,5`' })),
  grouping: Type.Optional(
    Type.Enum(['none', 'point', 'comma', 'apostrophe', 'space'], {
      description:
        'Separator between groups of three digits. By default an export writes none; an import reads any, and rejects a number such as `1.234` that could have a decimal sign instead',
    }),
  ),
  dateOrder: Type.Optional(
    Type.Enum(['ymd', 'dmy', 'mdy'], { description: 'Order of a date: `2026-12-31` by default, `31.12.2026` or `12/31/2026`' }),
  ),
  booleans: Type.Optional(
    Type.String({
      pattern: String.raw`^[\p{L}\p{N}]{1,20}\|[\p{L}\p{N}]{1,20}$`,
      description: 'Words for true and false, such as `ja|nein`; `true|false` by default, and an import also reads `yes no 1 0`',
    }),
  ),
};

export const delimiterNames = ['comma', 'semicolon', 'tab'] as const;
export const importOptions = {
  encoding: Type.Optional(
    Type.Enum([...encodings], { description: 'Encoding of the file; by default Chancery detects it from the bytes' }),
  ),
  delimiter: Type.Optional(
    Type.Enum([...delimiterNames], {
      description: 'Separator of cells; by default that of a first line such as `sep=;`, else the most frequent one of the first row',
    }),
  ),
  ...cellOptions,
};
export const exportOptions = {
  encoding: Type.Optional(
    Type.Enum(['utf-8', 'utf-8-bom', 'utf-16'], {
      description: 'Encoding of a CSV file: `utf-8` by default; Excel recognises `utf-8-bom` and `utf-16` when it opens a file',
    }),
  ),
  delimiter: Type.Optional(Type.Enum([...delimiterNames], { description: 'Separator of cells in CSV; `comma` by default' })),
  ...cellOptions,
};
export type ExportDialect = CellFormat & {
  encoding?: 'utf-8' | 'utf-8-bom' | 'utf-16' | undefined;
  delimiter?: Delimiter | undefined;
};

/** Throws 400 `validation_failed` for options that contradict each other. */
export function requireConsistent({ decimal = 'point', grouping, booleans }: CellFormat): void {
  if (grouping === decimal)
    throw problems.validation_failed(
      'The same character cannot be the decimal sign and the separator of digit groups. Choose another `grouping`.',
    );
  const [yes = '', no = ''] = booleans?.toLowerCase().split('|') ?? [];
  if (booleans !== undefined && yes === no) throw problems.validation_failed('The two words in `booleans` must be different.');
}
