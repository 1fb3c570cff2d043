// node build.mjs        builds the page into dist
// node build.mjs test   runs the unit tests, src/**/*.test.ts
// The same sources give the same bytes, wherever they lie.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync, mkdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'

const home = import.meta.dirname
process.chdir(home)
const common = { bundle: true, format: 'esm', loader: { '.sql': 'text' }, jsx: 'automatic', absWorkingDir: home, preserveSymlinks: true, logLevel: 'warning', charset: 'utf8' }

if (process.argv[2] === 'test') await test()
else await page()

async function page() {
  rmSync('dist', { recursive: true, force: true })
  const result = await build({
    ...common,
    entryPoints: ['src/main.tsx'],
    outdir: 'dist/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    minify: true,
    target: ['es2023'],
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    metafile: true,
  })
  const entry = Object.entries(result.metafile.outputs).find(([, o]) => o.entryPoint === 'src/main.tsx')
  const stray = Object.keys(result.metafile.outputs).filter(o => o.endsWith('.css') && o !== entry[1].cssBundle)
  if (stray.length > 0) throw new Error(`${stray} would never be loaded: import styles in src/main.tsx`)
  const address = file => '/' + path.posix.relative('dist', file)
  const icon = readFileSync('src/icon.svg')
  const iconName = `assets/icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`
  writeFileSync(`dist/${iconName}`, icon)
  const html = readFileSync('src/index.html', 'utf8')
    .replace('SCRIPT', address(entry[0]))
    .replace('STYLE', address(entry[1].cssBundle))
    .replace('ICON', '/' + iconName)
  writeFileSync('dist/index.html', html)
  writeFileSync('dist/licenses.txt', licences(result.metafile))
}

// licences are the texts of all packages of which there is something in the bundle.
function licences(metafile) {
  const names = new Set()
  for (const output of Object.values(metafile.outputs))
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)
      if (found && bytesInOutput > 0) names.add(found[1])
    }
  const parts = ['The page of Tidemark has parts of these packages in it.\n']
  for (const name of [...names].sort()) {
    const folder = path.join('node_modules', name)
    const about = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find(f => /^licen[cs]e/i.test(f))
    if (!file || !['MIT', 'BSD-3-Clause', 'BSD-2-Clause', 'ISC', 'Apache-2.0', '0BSD'].includes(about.license))
      throw new Error(`${name} has no licence that we can take: ${about.license}`)
    parts.push(`${'-'.repeat(80)}\n${name} ${about.version}, ${about.license}\n\n${readFileSync(path.join(folder, file), 'utf8').replace(/\r/g, '').trim()}\n`)
  }
  return parts.join('\n')
}

async function test() {
  const tests = readdirSync('src', { recursive: true }).filter(f => /\.test\.tsx?$/.test(f)).map(f => path.join('src', f)).sort()
  if (tests.length === 0) throw new Error('there are no tests')
  if (!existsSync('node_modules')) mkdirSync('node_modules')
  const out = mkdtempSync(path.join(tmpdir(), 'page-'))
  try {
    await build({ ...common, entryPoints: tests, outdir: out, outExtension: { '.js': '.mjs' }, platform: 'node', target: ['node20'], sourcemap: 'inline', loader: { ...common.loader, '.css': 'empty' },
      banner: { js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);" } })
    const files = readdirSync(out, { recursive: true }).filter(f => f.endsWith('.mjs')).map(f => path.join(out, f))
    process.exitCode = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], { stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
