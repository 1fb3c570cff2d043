// Whose a statement is, by its first words, as internal/language has it.

/** Owner is the language that alone has a statement, "both" if either may; "yql around" makes YQL of what both have in the same text. */
export type Owner = 'both' | 'flink' | 'yql' | 'yql around'

const heads: [Owner, string[]][] = [
  ['yql around', [
    '$', 'PRAGMA', 'DECLARE', 'DEFINE', 'IMPORT', 'EVALUATE', 'DO', 'UPSERT', 'REPLACE INTO', 'DISCARD', 'PROCESS', 'REDUCE',
  ]],
  ['yql', [
    'CREATE STREAMING', 'CREATE OR REPLACE STREAMING', 'ALTER STREAMING', 'DROP STREAMING', 'CREATE TOPIC', 'ALTER TOPIC', 'DROP TOPIC',
    'CREATE EXTERNAL', 'CREATE OR REPLACE EXTERNAL', 'ALTER EXTERNAL', 'DROP EXTERNAL',
  ]],
  ['flink', [
    'SET', 'RESET', 'USE', 'SHOW', 'DESC', 'DESCRIBE', 'EXECUTE', 'BEGIN STATEMENT', 'WITH', 'ALTER TABLE', 'ALTER VIEW', 'CREATE VIEW',
    'CREATE OR REPLACE VIEW', 'CREATE TEMPORARY', 'CREATE DATABASE', 'CREATE CATALOG', 'DROP VIEW', 'DROP TEMPORARY', 'DROP DATABASE',
    'DROP CATALOG',
  ]],
]

/** ownerOf tells whose a statement is that begins with these words, in upper case. */
export function ownerOf(words: string[]): Owner {
  const said = words.slice(words[0] === 'EXPLAIN' ? 1 : 0).join(' ') + ' '
  return heads.find(([, all]) => all.some(h => said.startsWith(h + ' ')))?.[0] ?? 'both'
}
