// Builds the page as one file: node build.mjs [FOLDER OF THE ENGINE] [OUTPUT]
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "page"),
  specs = join(here, "../examples/specs");
const player = join(here, "../codegen/view/src/animation");
const engine = process.argv[2] ?? join(here, "engine/pkg");
const output = process.argv[3] ?? join(here, "dist/index.html");
const read = (...path) => readFile(join(...path), "utf8");

/**
 * The player of `dqdt simulate --animate` as modules: its script, its style, and the markup within
 * its <main>.
 */
const playerPlugin = {
  name: "player",
  setup(plugin) {
    plugin.onResolve({ filter: /^player(\.css|\.html)?$/ }, ({ path }) => ({ path, namespace: "player" }));
    plugin.onLoad({ filter: /.*/, namespace: "player" }, async ({ path }) => {
      if (path === "player.css") return { contents: await read(player, path), loader: "text" };
      if (path === "player.html") {
        const html = await read(player, "page.html");
        return { contents: /<main class="player">([\s\S]*?)<\/main>/.exec(html)[1], loader: "text" };
      }
      const parts = await Promise.all(
        ["motion.js", "curves.js", "player.js"].map((name) => read(player, name)),
      );
      return { contents: `${parts.join("\n")}\nexport { createPlayer };`, loader: "js" };
    });
  },
};

async function bundleScript(entry, format) {
  const result = await build({
    entryPoints: [join(page, entry)],
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    write: false,
    charset: "utf8",
    plugins: [playerPlugin],
    legalComments: "none",
    logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

async function bundleStyle() {
  const parts = await Promise.all(
    ["base.css", "layout.css", "editor.css", "panels.css"].map((name) => read(page, name)),
  );
  const result = await build({
    stdin: { contents: parts.join("\n"), loader: "css" },
    minify: true,
    write: false,
  });
  return result.outputFiles[0].text;
}

function titleOf(name, text) {
  const description = /^description\s*=\s*"(.*)"/m.exec(text)?.[1];
  return [name.replace(/\.toml$/, "").replaceAll("_", " "), description].filter(Boolean).join(": ");
}

/** The specs of the gallery, each with the files that it includes. */
async function readExamples() {
  const names = (await readdir(specs)).filter((name) => name.endsWith(".toml")).sort();
  const examples = await Promise.all(
    names.map(async (name) => {
      const text = await read(specs, name),
        template = /^template\s*=\s*"(.*)"/m.exec(text)?.[1];
      const files = template ? { [template]: await read(specs, template) } : undefined;
      return { name, title: titleOf(name, text), text, files };
    }),
  );
  return [
    {
      name: "pendulum.toml",
      title: "start of your own: a pendulum with comments",
      text: await read(page, "new.toml"),
    },
    ...examples,
  ];
}

/** Text within a <script> element, which it must not end. */
const scriptSafe = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const glue = (await readdir(engine)).find((name) => name.endsWith(".js"));
const wasm = glue.replace(/\.js$/, "_bg.wasm");
const script = scriptSafe(await bundleScript("main.js", "esm"));
const worker = `${await read(engine, glue)}\n${await bundleScript("worker.js", "iife")}`;
const hash = createHash("sha256").update(script).digest("base64");
const parts = {
  policy: [
    "default-src 'none'",
    `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; "),
  style: await bundleStyle(),
  wasm: gzipSync(await readFile(join(engine, wasm)), { level: 9 }).toString("base64"),
  worker: scriptSafe(worker),
  examples: JSON.stringify(await readExamples()).replaceAll("<", "\\u003c"),
  script,
};
const html = (await read(page, "index.html")).replaceAll(/@@(\w+)@@/g, (_, name) => parts[name]);
await mkdir(dirname(output), { recursive: true });
await writeFile(output, html);
const megabytes = (n) => `${(n / 1e6).toFixed(2)} MB`;
console.log(
  `${basename(output)}: ${megabytes(html.length)}, compressed ${megabytes(gzipSync(html, { level: 9 }).length)}`,
);
