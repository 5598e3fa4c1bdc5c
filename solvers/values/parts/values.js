// What a word of a cell says, by the form of its column; NaN where it says nothing.

// A word in small letters, with plain blanks, minus and apostrophe; marks of direction
// count as blanks.
function folded(word) {
  return word.replace(/[\u00a0\u2007\u2009\u200a\u200e\u200f\u202f\ufeff]/gu, " ")
    .replace(/\u2212/gu, "-").replace(/\u2019/gu, "'")
    .replace(/[A-Z]/gu, (capital) => capital.toLowerCase())
    .replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/gu, "");
}

function readWord(word, form) {
  if (word.length > 200) return NaN;
  const text = folded(word);
  for (const [place, pattern] of form.patterns.entries()) {
    const match = new RegExp(`^(?:${pattern})$`, "u").exec(text);
    if (match) return form.kind === "yes/no" ? place : valueOf(match.groups, form);
  }
  return NaN;
}

function valueOf(parts, form) {
  if (form.kind === "number") return numberOf(parts, form);
  if (form.kind === "duration") return durationOf(parts) / 86400e6;
  if (form.kind === "date") return momentOf(parts, form.months);
  const micros = timeOf(parts);
  return (micros % 86400e6) / 60e6;
}

// The number of a part, of its first six digits.
function whole(parts, name) {
  return Number((parts[name] ?? "0").slice(0, 6));
}

function numberOf(parts, form) {
  if (parts.nil) return 0;
  let digits = parts.digits;
  if (form.thousands) digits = digits.replaceAll(form.thousands, "");
  if (form.decimal === ",") digits = digits.replaceAll(",", ".");
  const isPercent = parts.percent || form.bare === "percent";
  const value = Number(isPercent ? `${digits}e-2` : digits);
  if (!Number.isFinite(value)) return NaN;
  if (form.bare === "zero" && !parts.percent && value !== 0) return NaN;
  return parts.sign === "-" || parts.open ? -value : value;
}

function durationOf(parts) {
  const units = [["weeks", 604800e6], ["days", 86400e6], ["hours", 3600e6],
    ["minutes", 60e6], ["seconds", 1e6], ["millis", 1e3], ["micros", 1]];
  let micros = 0;
  if (!Object.keys(parts).some((name) => name !== "sign" && parts[name])) return NaN;
  for (const [unit, size] of units) {
    if (parts[unit]) micros += Number(parts[unit].replace(",", ".")) * size;
  }
  if (parts.back === "-") micros = -micros;
  if (parts.minute) micros += microsOf(parts);
  return parts.sign === "-" ? -micros : micros;
}

// Microseconds of hours, minutes, seconds; what is finer is cut off.
function microsOf(parts) {
  const seconds = (whole(parts, "hour") * 60 + whole(parts, "minute")) * 60
    + whole(parts, "second");
  const fraction = (parts.fraction ?? "").slice(0, 6);
  return seconds * 1e6 + Number(fraction || "0") * 10 ** (6 - fraction.length);
}

// Microseconds since midnight.
function timeOf(parts) {
  const hour = whole(parts, "hour");
  let micros = microsOf(parts);
  if (micros > 86400e6 || whole(parts, "minute") > 59 || whole(parts, "second") > 59) {
    return NaN;
  }
  if (parts.half) {
    if (hour < 1 || hour > 12) return NaN;
    micros += (12 * Number(parts.half === "p") - 12 * Number(hour === 12)) * 3600e6;
  }
  return micros;
}

// Days since 1970, of UTC where a zone is told.
function momentOf(parts, months) {
  const short = whole(parts, "short");
  const year = parts.short ? short + 1900 + 100 * Number(short < 69)
    : whole(parts, "year");
  const month = parts.name ? months[parts.name] ?? 0 : whole(parts, "month");
  const day = parts.day ? whole(parts, "day") : 1;
  if (year < 1 || month < 1 || month > 12 || day < 1) return NaN;
  const first = dayNumber(year, month, 1);
  const next = dayNumber(year + Number(month === 12), (month % 12) + 1, 1);
  if (day > next - first) return NaN;
  let micros = 0;
  if (parts.minute) {
    micros = timeOf(parts);
    if (!(micros < 86400e6)) return NaN;
  }
  if (parts.east) {
    const [hours, minutes] = [whole(parts, "zone_hour"), whole(parts, "zone_minute")];
    if (hours > 23 || minutes > 59) return NaN;
    micros -= (parts.east === "+" ? 1 : -1) * (hours * 60 + minutes) * 60e6;
  }
  // Whole numbers of any size: a float of years far away would round them twice.
  const all = BigInt(first + day - 1) * 86400000000n + BigInt(micros);
  const [start, end] = [-719162n * 86400000000n, 2932897n * 86400000000n];
  return start <= all && all < end ? Number(all) / 86400e6 : NaN;
}

// Years begin with March here, so that a leap day is their last.
function dayNumber(year, month, day) {
  const shifted = year - Number(month <= 2);
  const era = Math.floor(shifted / 400);
  const ofEra = shifted - era * 400;
  const ofYear = Math.floor((153 * (month + (month <= 2 ? 9 : -3)) + 2) / 5) + day - 1;
  const days = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear;
  return era * 146097 + days - 719468;
}
