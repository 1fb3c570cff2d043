package faker

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/brianvoe/gofakeit/v7"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// provider is one kind of call.
type provider struct {
	names []string // the first is the one that people are told
	make  func(args []string) (generate, error)
}

// providers are all calls that there are, as the Flink connector names them.
var providers = []provider{
	word("Address.buildingNumber", (*gofakeit.Faker).StreetNumber),
	word("Address.city", (*gofakeit.Faker).City, "Address.cityName"),
	word("Address.country", (*gofakeit.Faker).Country),
	word("Address.countryCode", (*gofakeit.Faker).CountryAbr),
	word("Address.fullAddress", func(f *gofakeit.Faker) string {
		return f.Street() + ", " + f.City() + ", " + f.StateAbr() + " " + f.Zip()
	}),
	word("Address.latitude", func(f *gofakeit.Faker) string { return decimal(f.Latitude(), 8) }),
	word("Address.longitude", func(f *gofakeit.Faker) string { return decimal(f.Longitude(), 8) }),
	word("Address.state", (*gofakeit.Faker).State),
	word("Address.stateAbbr", (*gofakeit.Faker).StateAbr),
	word("Address.streetAddress", (*gofakeit.Faker).Street),
	word("Address.streetName", (*gofakeit.Faker).StreetName),
	word("Address.timeZone", (*gofakeit.Faker).TimeZoneRegion),
	word("Address.zipCode", (*gofakeit.Faker).Zip, "Address.postcode"),
	word("Animal.name", (*gofakeit.Faker).Animal),
	word("App.name", (*gofakeit.Faker).AppName),
	word("App.version", (*gofakeit.Faker).AppVersion),
	word("Aviation.airport", (*gofakeit.Faker).AirlineAirportIATA),
	word("Aviation.aircraft", (*gofakeit.Faker).AirlineAirplane),
	word("Aviation.flight", (*gofakeit.Faker).AirlineFlightNumber),
	word("Beer.name", (*gofakeit.Faker).BeerName),
	word("Beer.style", (*gofakeit.Faker).BeerStyle),
	word("Book.author", (*gofakeit.Faker).BookAuthor),
	word("Book.genre", (*gofakeit.Faker).BookGenre),
	word("Book.title", (*gofakeit.Faker).BookTitle),
	word("Bool.bool", func(f *gofakeit.Faker) string { return strconv.FormatBool(f.Bool()) }),
	word("Business.creditCardExpiry", (*gofakeit.Faker).CreditCardExp),
	word("Business.creditCardType", (*gofakeit.Faker).CreditCardType),
	word("Cat.breed", (*gofakeit.Faker).Cat),
	word("Color.hex", (*gofakeit.Faker).HexColor),
	word("Color.name", (*gofakeit.Faker).Color),
	{[]string{"Commerce.price"}, price},
	word("Commerce.department", (*gofakeit.Faker).ProductCategory),
	word("Commerce.material", (*gofakeit.Faker).ProductMaterial),
	word("Commerce.productName", (*gofakeit.Faker).ProductName),
	word("Company.buzzword", (*gofakeit.Faker).BuzzWord),
	word("Company.catchPhrase", (*gofakeit.Faker).Slogan),
	word("Company.name", (*gofakeit.Faker).Company),
	word("Company.suffix", (*gofakeit.Faker).CompanySuffix),
	word("Currency.code", (*gofakeit.Faker).CurrencyShort),
	word("Currency.name", (*gofakeit.Faker).CurrencyLong),
	{[]string{"Date.birthday"}, birthday},
	{[]string{"Date.future"}, func(args []string) (generate, error) { return around(args, 1) }},
	{[]string{"Date.past"}, func(args []string) (generate, error) { return around(args, -1) }},
	word("Demographic.race", (*gofakeit.Faker).Ethnicity),
	word("Demographic.sex", (*gofakeit.Faker).Gender),
	word("Dog.breed", (*gofakeit.Faker).Dog),
	word("File.extension", (*gofakeit.Faker).FileExtension),
	word("File.mimeType", (*gofakeit.Faker).FileMimeType),
	word("Finance.creditCard", func(f *gofakeit.Faker) string { return f.CreditCardNumber(nil) }),
	word("Food.dish", (*gofakeit.Faker).Dinner),
	word("Food.fruit", (*gofakeit.Faker).Fruit),
	word("Food.vegetable", (*gofakeit.Faker).Vegetable),
	word("Hacker.noun", (*gofakeit.Faker).HackerNoun),
	word("Hacker.verb", (*gofakeit.Faker).HackerVerb),
	word("Hobby.activity", (*gofakeit.Faker).Hobby),
	word("IdNumber.valid", (*gofakeit.Faker).SSN),
	word("Internet.domainName", (*gofakeit.Faker).DomainName),
	word("Internet.emailAddress", (*gofakeit.Faker).Email, "Internet.safeEmailAddress"),
	word("Internet.httpMethod", (*gofakeit.Faker).HTTPMethod),
	word("Internet.ipV4Address", (*gofakeit.Faker).IPv4Address, "Internet.publicIpV4Address"),
	word("Internet.ipV6Address", (*gofakeit.Faker).IPv6Address),
	word("Internet.macAddress", (*gofakeit.Faker).MacAddress),
	word("Internet.password", func(f *gofakeit.Faker) string { return f.Password(true, true, true, false, false, 12) }),
	word("Internet.statusCode", func(f *gofakeit.Faker) string { return strconv.Itoa(f.HTTPStatusCodeSimple()) }),
	word("Internet.url", (*gofakeit.Faker).URL),
	word("Internet.userAgent", (*gofakeit.Faker).UserAgent, "Internet.userAgentAny"),
	word("Internet.uuid", (*gofakeit.Faker).UUID),
	word("Job.field", (*gofakeit.Faker).JobDescriptor),
	word("Job.seniority", (*gofakeit.Faker).JobLevel),
	word("Job.title", (*gofakeit.Faker).JobTitle),
	word("Lorem.character", (*gofakeit.Faker).Letter),
	word("Lorem.paragraph", func(f *gofakeit.Faker) string { return f.LoremIpsumSentence(40) }),
	word("Lorem.sentence", func(f *gofakeit.Faker) string { return f.LoremIpsumSentence(8) }),
	word("Lorem.word", (*gofakeit.Faker).LoremIpsumWord),
	word("Movie.title", (*gofakeit.Faker).MovieName),
	word("Music.artist", (*gofakeit.Faker).SongArtist),
	word("Music.genre", (*gofakeit.Faker).SongGenre),
	word("Music.title", (*gofakeit.Faker).SongName),
	word("Name.firstName", (*gofakeit.Faker).FirstName),
	word("Name.fullName", (*gofakeit.Faker).Name, "Name.name"),
	word("Name.lastName", (*gofakeit.Faker).LastName),
	word("Name.prefix", (*gofakeit.Faker).NamePrefix),
	word("Name.suffix", (*gofakeit.Faker).NameSuffix),
	word("Name.title", (*gofakeit.Faker).JobTitle),
	word("Name.username", (*gofakeit.Faker).Username, "Internet.username"),
	word("Nation.language", (*gofakeit.Faker).Language),
	word("Number.digit", (*gofakeit.Faker).Digit, "Number.randomDigit"),
	{[]string{"Number.digits"}, digits},
	{[]string{"Number.numberBetween"}, numberBetween},
	{[]string{"Number.randomDouble"}, randomDouble},
	word("Number.randomDigitNotZero", func(f *gofakeit.Faker) string { return strconv.Itoa(f.IntRange(1, 9)) }),
	word("Number.randomNumber", func(f *gofakeit.Faker) string { return strconv.Itoa(f.IntRange(0, 999_999_999)) }),
	{[]string{"Options.option"}, option},
	word("PhoneNumber.cellPhone", (*gofakeit.Faker).Phone),
	word("PhoneNumber.phoneNumber", (*gofakeit.Faker).PhoneFormatted),
	word("ProgrammingLanguage.name", (*gofakeit.Faker).ProgrammingLanguage),
	word("University.name", (*gofakeit.Faker).School),
	word("Vehicle.make", (*gofakeit.Faker).CarMaker),
	word("Vehicle.model", (*gofakeit.Faker).CarModel),
	{[]string{"bothify"}, func(args []string) (generate, error) {
		return pattern(args, func(f *gofakeit.Faker, s string) string { return f.Numerify(f.Lexify(s)) })
	}},
	{[]string{"letterify"}, func(args []string) (generate, error) { return pattern(args, (*gofakeit.Faker).Lexify) }},
	{[]string{"numerify"}, func(args []string) (generate, error) { return pattern(args, (*gofakeit.Faker).Numerify) }},
	{[]string{"regexify", "Options.regexify"}, regexify},
}

// word is a call without arguments.
func word(name string, f func(*gofakeit.Faker) string, aliases ...string) provider {
	return provider{append([]string{name}, aliases...), func(args []string) (generate, error) {
		if len(args) > 0 {
			return nil, errors.New("it takes no arguments")
		}
		return func(fake *gofakeit.Faker, _ int64) value { return value{text: f(fake)} }, nil
	}}
}

func decimal(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

func pattern(args []string, f func(*gofakeit.Faker, string) string) (generate, error) {
	if len(args) != 1 {
		return nil, errors.New("it takes one pattern")
	}
	return func(fake *gofakeit.Faker, _ int64) value { return value{text: f(fake, args[0])} }, nil
}

func option(args []string) (generate, error) {
	if len(args) == 0 {
		return nil, errors.New("it takes the values to choose from")
	}
	return func(f *gofakeit.Faker, _ int64) value { return value{text: args[f.IntN(len(args))]} }, nil
}

func digits(args []string) (generate, error) {
	n := int64(1)
	if len(args) > 0 {
		var err error
		if n, err = whole(args[0]); err != nil {
			return nil, err
		}
	}
	if n < 1 || n > 1000 || len(args) > 1 {
		return nil, errors.New("it takes how many digits, 1 to 1000")
	}
	return func(f *gofakeit.Faker, _ int64) value { return value{text: f.Numerify(strings.Repeat("#", int(n)))} }, nil
}

func whole(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("'%s' is not a whole number", s)
	}
	return n, nil
}

// numberBetween takes the least number and the one behind the greatest.
func numberBetween(args []string) (generate, error) {
	if len(args) != 2 {
		return nil, errors.New("it takes two numbers, the second of which is not reached")
	}
	low, err := whole(args[0])
	if err != nil {
		return nil, err
	}
	high, err := whole(args[1])
	if err != nil {
		return nil, err
	}
	if low >= high || high-low < 0 {
		return nil, errors.New("the second number must be greater than the first, and not too far away")
	}
	return func(f *gofakeit.Faker, _ int64) value {
		return value{text: strconv.FormatInt(low+int64(f.Uint64()%uint64(high-low)), 10)}
	}, nil
}

// randomDouble takes how many digits stand behind the point, and two whole numbers to lie between.
func randomDouble(args []string) (generate, error) {
	if len(args) != 3 {
		return nil, errors.New("it takes digits behind the point, least and greatest")
	}
	var n [3]int64
	for i, a := range args {
		var err error
		if n[i], err = whole(a); err != nil {
			return nil, err
		}
	}
	if n[0] < 0 || n[0] > 15 || n[1] > n[2] {
		return nil, errors.New("there are 0 to 15 digits, and the greatest is not less than the least")
	}
	return func(f *gofakeit.Faker, _ int64) value {
		return value{text: decimal(f.Float64Range(float64(n[1]), float64(n[2])), int(n[0]))}
	}, nil
}

func price(args []string) (generate, error) {
	low, high := 0.0, 100.0
	if len(args) == 2 {
		var bad error
		for i, to := range []*float64{&low, &high} {
			v, err := strconv.ParseFloat(strings.TrimSpace(args[i]), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				bad = fmt.Errorf("'%s' is not a number", args[i])
			}
			*to = v
		}
		if bad != nil {
			return nil, bad
		}
	}
	if len(args) != 0 && len(args) != 2 || low > high {
		return nil, errors.New("it takes least and greatest price")
	}
	return func(f *gofakeit.Faker, _ int64) value { return value{text: decimal(f.Float64Range(low, high), 2)} }, nil
}

var units = []struct {
	name   string
	micros int64
}{{"NANOSECONDS", 0}, {"MICROSECONDS", 1}, {"MILLISECONDS", timefmt.Millisecond}, {"SECONDS", timefmt.Second}, {"MINUTES", 60 * timefmt.Second},
	{"HOURS", timefmt.Hour}, {"DAYS", timefmt.Day}}

// around is a point in time up to so long before or after now: 'atMost','unit' or 'atMost','atLeast','unit'.
func around(args []string, sign int64) (generate, error) {
	if len(args) != 2 && len(args) != 3 {
		return nil, errors.New("it takes the longest time and a unit, such as '15','SECONDS', or the longest, the shortest and a unit")
	}
	most, err := whole(args[0])
	if err != nil {
		return nil, err
	}
	least := int64(0)
	if len(args) == 3 {
		if least, err = whole(args[1]); err != nil {
			return nil, err
		}
	}
	for _, u := range units {
		if u.name != strings.ToUpper(strings.TrimSpace(args[len(args)-1])) || u.micros == 0 {
			continue
		}
		if least < 0 || least > most || most > (100*366*timefmt.Day)/u.micros {
			return nil, errors.New("the times must be from 0 to a hundred years, the longest first")
		}
		return func(f *gofakeit.Faker, now int64) value {
			span := uint64((most-least)*u.micros + 1)
			return value{instant: true, micros: now + sign*(least*u.micros+int64(f.Uint64()%span))}
		}, nil
	}
	return nil, errors.New("the unit is one of: MICROSECONDS, MILLISECONDS, SECONDS, MINUTES, HOURS, DAYS")
}

// birthday is midnight of a day on which somebody was born who is of an age now.
func birthday(args []string) (generate, error) {
	ages := [2]int64{18, 65}
	if len(args) == 2 {
		for i, a := range args {
			var err error
			if ages[i], err = whole(a); err != nil {
				return nil, err
			}
		}
	}
	if len(args) != 0 && len(args) != 2 || ages[0] < 0 || ages[0] >= ages[1] || ages[1] > 150 {
		return nil, errors.New("it takes the least and the greatest age in years")
	}
	return func(f *gofakeit.Faker, now int64) value {
		span := uint64((ages[1] - ages[0]) * 12)
		months := ages[0]*12 + int64(f.Uint64()%span)
		day := timefmt.AddMonths(now, -months) - int64(f.Uint64()%28)*timefmt.Day
		return value{instant: true, micros: timefmt.Floor(day, timefmt.Day)}
	}, nil
}

// String is the value as part of a text.
func (v value) String() string {
	if v.instant {
		return string(timefmt.AppendTimestamp(nil, v.micros, 3, ' ', false))
	}
	return v.text
}
