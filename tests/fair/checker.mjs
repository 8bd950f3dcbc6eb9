// Deals again every table of an export, written from docs/fair-deals.md and nothing else: `node checker.mjs FILE`.
// Prints a JSON line for every shuffle that could be done, one for each table, and ends with 1 at the first fault.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
const utf8 = (text) => Buffer.from(text, "utf8");
const bytes = (base64) => Buffer.from(base64, "base64");

class Fault extends Error {}

function demand(right, what) {
  if (!right) throw new Fault(what);
}

// 1. The export

function* commitsOf(text) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const header = JSON.parse(lines[0]);
  demand(header.format === "tabletalk-log/1", "not an export");
  const { deployment, partitions } = header;
  demand(JSON.stringify({ format: "tabletalk-log/1", deployment, partitions }) === lines[0], "line 1");
  const counts = { tables: 0, commits: 0 };
  const seen = new Set();
  let last = null;
  for (let at = 1; at < lines.length - 1; at++) {
    const { table, version, time, actor, command, events, hash } = JSON.parse(lines[at]);
    demand(JSON.stringify({ table, version, time, actor, command, events, hash }) === lines[at], `line ${at + 1}`);
    if (table !== last) {
      demand(!seen.has(table), `line ${at + 1}: ${table} again`);
      seen.add(table);
      counts.tables++;
    }
    counts.commits++;
    last = table;
    yield { table, version, time, actor, command, events, hash };
  }
  demand(counts.commits > 0 && JSON.stringify({ end: counts }) === lines.at(-1), "the end");
}

// 2. The chain

function field(part) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return Buffer.concat([length, part]);
}

function link(commit, previous) {
  const { table, version, time, actor, command, events } = commit;
  const fields = [table, String(version), previous, String(time), actor, command, events];
  return sha(...fields.map((one) => field(Buffer.isBuffer(one) ? one : utf8(one))));
}

function fingerprint(hash) {
  let bits = "";
  for (const byte of hash) bits += byte.toString(2).padStart(8, "0");
  const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from({ length: 20 }, (_, at) => alphabet[parseInt(bits.slice(5 * at, 5 * at + 5), 2)]).join("");
}

// 4. The digest

const RANKS = "23456789TJQKA";
const card = (number) => (number >= 52 ? `X${number - 51}` : RANKS[number % 13] + "SHDC"[Math.floor(number / 13)]);

const seconds = (tenths) => `${Math.floor(tenths / 10)}.${tenths % 10}`;
const LINES = {
  "table.deck_cut": (e) => `cut_deck ${e.number}`,
  "callbreak.called": (e, a) => `${a}call ${e.call}`,
  "callbreak.card_played": (e, a) => `${a}play ${card(e.card)}`,
  "callbreak.accused": (e) => `accuse ${e.accused} ${e.trick}`,
  "callbreak.voted": (e, a) => `${a}vote ${e.guilty ? "guilty" : "innocent"}`,
  "callbreak.confirmed": (e, a) => `${a}confirm`,
  "chinchon.drew_stock": (e, a) => `${a}draw stock`,
  "chinchon.drew_pile": (e, a) => `${a}draw pile`,
  "chinchon.discarded": (e, a) => `${a}discard ${card(e.card)}`,
  "chinchon.cut_made": (e, a) => `${a}cut ${card(e.card)}`,
  "chinchon.cut_failed": (e) => `cut ${card(e.card)}`,
  "chinchon.melds_shown": (e, a) => `${a}meld ${(e.groups ?? []).map((one) => one.map(card).join("")).join(" ") || "none"}`,
  "snitch.discarded": (e, a) => `${a}discard ${card(e.card)}`,
  "snitch.set_laid": (e) => `set ${e.cards.map(card).join(" ")}`,
  "snitch.top_taken": (e) => `take ${card(e.card)}`,
  "snitch.challenged": (e) => `challenge ${e.target} ${card(e.card)}`,
  "snitch.defended": (e) => `defend ${card(e.card)}`,
  "snitch.pressed": (e) => `press ${card(e.card)}`,
  "snitch.yielded": (e, a) => `${a}yield`,
  "snitch.stopped": (e, a) => `${a}stop`,
  "chitchat.talked": (e, a) => `${a}talk ${card(e.card)}`,
  "chitchat.argued": (e, a) => `${a}argue ${card(e.card)}`,
  "chitchat.topic_changed": (e, a) => `${a}change ${e.cards.map(card).join(" ")}`,
  "chitchat.conceded": (e, a) => a + [e.play, ...e.cards.map(card)].join(" "),
  "chitchat.resigned": (e, a) => `${a}resign`,
  "taichi.card_turned": (e, a) => (e.after ? null : `${a}turn`),
  "taichi.pile_empty": (e, a) => `${a}turn`,
  "taichi.no_word": (e, a) => (e.left ? null : `${a}no_word`),
  "taichi.passed": (e, a) => `${a}pass`,
  "taichi.stopped": (e, a) => `${a}stop`,
  "taichi.declined": (e, a) => `${a}decline`,
  "taichi.challenged": () => "challenge",
  "taichi.word_said": (e) => `word ${e.word}`,
  "taichi.readied": (e) => (e.auto ? null : "ready"),
  "taichi.answer_told": (e, a) =>
    e.word ? `word ${e.word}${e.tenths == null ? "" : ` ${seconds(e.tenths)}`}` : `${a}pass`,
  "taichi.objected": (e) => (e.refused ? null : "object"),
  "taichi.voted": (e, a) => (e.refused ? null : a + (e.agrees ? "agree" : "disagree")),
};

function lineOf(event) {
  const said = LINES[event.type]?.(event, event.auto ? "auto " : "");
  return said == null ? null : `${event.seat} ${said}`;
}

// 5. The shuffle

function* words(key) {
  for (let index = 0n; ; index++) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(index);
    const block = hmac(key, counter);
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

function shuffled(seed, digest, label, items) {
  const stream = words(hmac(seed, digest, utf8(label)));
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const n = last + 1;
    let word;
    do word = stream.next().value;
    while (word >= 2 ** 32 - (2 ** 32 % n));
    const other = word % n;
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

// 6. Packs and deals

const range = (from, to) => Array.from({ length: to - from }, (_, at) => from + at);
const TAICHI = {
  en: "0 1 1 2 6 8 9 11 12 12 13 14 24 25 26 33 34 35 37 38 39 40 41 42 43 44 46 47 51 52 53 54 55 56 57 58 59 60 61 78 81 85 88 92 95",
  fr: "0 1 2 6 7 9 11 12 12 13 13 14 24 25 26 26 33 34 36 38 39 40 41 42 43 44 46 47 51 52 53 53 55 56 57 58 59 60 61 78 96 100 103 107 110",
};
const KINGS = [11, 24, 37];
const EACH = { callbreak: 13, chinchon: 7, snitch: 3, chitchat: 6, taichi: 1 };

function pack(game, options) {
  switch (game) {
    case "callbreak":
      return range(0, 52);
    case "chinchon": {
      const without = { 48: "T", 40: "89T" }[options.deck ?? "52"] ?? "";
      return [
        ...range(0, 52).filter((one) => !without.includes(RANKS[one % 13])),
        ...range(52, 52 + (options.jokers ?? 0)),
      ];
    }
    case "snitch":
      return [...range(0, 52), ...range(0, 52), ...range(52, 56)];
    case "chitchat":
      return range(0, 39)
        .filter((one) => "23456A".includes(RANKS[one % 13]))
        .flatMap((one) => [one, one]);
    case "taichi":
      return TAICHI[options.language ?? "en"].split(" ").map(Number);
  }
}

const ascending = (list) => [...list].sort((one, other) => one - other);

class Table {
  constructor(name, seeds) {
    this.name = name;
    this.seeds = seeds; // by commitment, in hex
    this.digest = Buffer.alloc(32);
    this.seats = 0;
    this.deals = 0;
  }

  /** The order under a label, or null where the seed is not known; printed for whoever compares. */
  order(version, label, items) {
    const seed = this.seeds.get(this.commitment.toString("hex"));
    if (!seed) return null;
    const order = shuffled(seed, this.digest, label, items);
    console.log(JSON.stringify({ table: this.name, version, label, digest: this.digest.toString("hex"), order }));
    return order;
  }

  apply(version, event) {
    const name = event.type.replace(".", "_");
    if (this[name]) this[name](version, event);
    else if (this.set) this.follow(version, event);
    const line = lineOf(event);
    if (line !== null) this.digest = sha(this.digest, utf8(line));
    if (event.type.endsWith(".reshuffled") && this.set) this.reshuffle(version, event);
  }

  table_opened(version, event) {
    this.game = event.game;
    this.options = event.options;
    this.commitment = bytes(event.commitment);
  }

  table_options_set(version, event) {
    this.options = event.options;
  }

  table_joined() {
    this.seats++;
  }

  table_unseated() {
    this.seats--;
  }

  table_started(version, event) {
    if (event.how === "host") return;
    if (event.how === "random") {
      const order = this.order(version, "dealer", range(0, this.seats));
      demand(!order || order[0] === event.dealer, `version ${version}: another seat deals first`);
      return;
    }
    const order = this.order(version, "dealer", pack(this.game, this.options));
    if (!order) return;
    const drawn = order.findIndex((one) => one < 52 && one % 13 === 5) + 1;
    demand((drawn - 1) % this.seats === event.dealer, `version ${version}: another seat deals first`);
    demand(String(order.slice(0, drawn)) === String(event.draws), `version ${version}: other cards were drawn`);
  }

  table_dealt(version, event) {
    this.deals++;
    demand(this.deals === event.deal, `version ${version}: the deals are not counted`);
    const order = this.order(version, `deal:${event.deal}`, pack(this.game, this.options));
    if (this.game === "chitchat") this.kings = this.order(version, `pets:${event.deal}`, KINGS);
    if (event.commitment) this.next = bytes(event.commitment);
    this.set = null;
    if (!order) return;
    const playing = event.playing?.length ? event.playing : range(0, this.seats);
    const after = [...playing.filter((seat) => seat > event.dealer), ...playing.filter((seat) => seat <= event.dealer)];
    const dealt = EACH[this.game] * playing.length;
    const hands = Array.from({ length: this.seats }, () => []);
    order.slice(0, dealt).forEach((one, at) => hands[after[at % after.length]].push(one));
    this.set = { hands, stock: order.slice(dealt), pile: [], discards: [], seq: [], open: [], bets: new Map(), times: 0 };
    console.log(
      JSON.stringify({ table: this.name, version, hands: hands.map(ascending), stock: this.set.stock, kings: this.kings }),
    );
  }

  table_seed_revealed(version, event) {
    const seed = bytes(event.seed);
    demand(sha(seed).equals(this.commitment), `version ${version}: not the seed that was promised`);
    this.commitment = this.next;
    this.deals = 0;
  }

  /** 8, as far as a reshuffle hangs on it. */
  follow(version, event) {
    const { set } = this;
    const put = (pile, one) => pile.push(one);
    switch (event.type) {
      case "chinchon.turned_up":
        put(set.pile, event.card);
        return;
      case "chinchon.drew_pile":
        demand(set.pile.pop() === event.card, `version ${version}: another card was on top`);
        return;
      case "chinchon.discarded":
      case "chinchon.cut_failed":
        put(set.pile, event.card);
        return;
      case "chitchat.turned":
        put(set.seq, event.card);
        return;
      case "chitchat.talked":
        if (event.follows) set.discards.push(...set.seq.splice(0, set.seq.length - 1));
        put(set.seq, event.card);
        return;
      case "chitchat.argued":
        put(set.seq, event.card);
        return;
      case "chitchat.topic_changed":
        set.discards.push(...set.seq.splice(0));
        set.seq.push(...event.cards);
        return;
      case "chitchat.point_made": {
        const others = set.seq.splice(0, set.seq.length - 1);
        const at = others.indexOf(event.card);
        demand(at >= 0, `version ${version}: the point is not in the sequence`);
        others.splice(at, 1);
        set.discards.push(...others);
        return;
      }
      case "taichi.bet_forfeited":
        put(set.discards, event.card);
        return;
      case "taichi.awarded":
        set.discards.push(...(event.cards ?? []));
        return;
    }
  }

  reshuffle(version, event) {
    const { set } = this;
    set.times++;
    let items;
    if (this.game === "chinchon") {
      items = set.pile.splice(0, set.pile.length - (this.options.reshuffle === "keep_top" ? 1 : 0));
    } else {
      items = ascending(set.discards.splice(0));
    }
    demand(items.length === (event.count ?? event.number), `version ${version}: another number of cards`);
    set.stock = this.order(version, this.game === "taichi" ? "reshuffle:1" : `reshuffle:${set.times}`, items);
  }
}

function check(name, commits) {
  let previous = Buffer.alloc(32);
  const seeds = new Map();
  const told = commits.map((commit, at) => {
    demand(commit.version === at + 1, `version ${commit.version}: out of order`);
    previous = link(commit, previous);
    demand(previous.toString("hex") === commit.hash, `version ${commit.version}: the hash does not match`);
    const events = JSON.parse(commit.events);
    for (const event of events) {
      if (event.type !== "table.seed_revealed") continue;
      const seed = bytes(event.seed);
      seeds.set(sha(seed).toString("hex"), seed);
    }
    return events;
  });
  const table = new Table(name, seeds);
  told.forEach((events, at) => events.forEach((event) => table.apply(at + 1, event)));
  console.log(JSON.stringify({ table: name, fingerprint: fingerprint(previous), digest: table.digest.toString("hex") }));
}

let name = null;
let commits = [];
try {
  for (const commit of commitsOf(readFileSync(process.argv[2], "utf8"))) {
    if (name !== null && commit.table !== name) {
      check(name, commits);
      commits = [];
    }
    name = commit.table;
    commits.push(commit);
  }
  check(name, commits);
} catch (fault) {
  console.error(`${name}: ${fault.message}`);
  process.exitCode = 1;
}
